/** The mark of millrace: a race that flows into a wheel. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M1 4.5h6.2a6.3 6.3 0 1 1-5.6 9.2" strokeWidth="2" />
      <path d="M1 8.6h3.4" strokeWidth="2" />
      <circle cx="8.6" cy="10.8" r="1.7" strokeWidth="2" />
    </svg>
  );
}
