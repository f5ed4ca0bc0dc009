import { Button } from "../button.tsx";

interface SendTestProps {
  /** What it is sent to. */
  name: string;
  test: { isPending: boolean; run: () => void };
}

/** Sends a test to one of a list. */
export function SendTest({ name, test }: SendTestProps) {
  return (
    <Button isSmall isPending={test.isPending} onPress={() => test.run()} aria-label={`Send test to ${name}`}>
      {test.isPending ? "Sending…" : "Send test"}
    </Button>
  );
}
