/** What the server advises is for the command line as well; where the page has a way of its own, that is said. */
export function remedyOnPage({
  status,
  remedy,
}: {
  status: number;
  remedy?: string | undefined;
}): string | undefined {
  if (!remedy?.includes("`millrace ")) return remedy;
  if (status === 401) return "Sign in with another API key. An admin can create one on the page API keys.";
  if (status === 403)
    return "Sign in with an API key that may do this. An admin can create one on the page API keys.";
  if (status === 404)
    return "It may have been deleted or renamed, or your API key cannot access it. Look for it in the list of its page.";
  return `In a terminal: ${remedy}`;
}
