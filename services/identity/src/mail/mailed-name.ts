/**
 * Changes an agent's name so that no mail program turns it into a link. It adds a thin space after each dot and slash,
 * as in `evil.example` and `a/b`. Between digits, as in `GPT-4.1`, it adds none.
 */
export function mailedName(agentName: string): string {
  return agentName.replace(/([./])(?=\S)(?!(?<=\d\.)\d)/g, '$1\u200a');
}

/** Puts the name in quotation marks, so that readers do not take it for our own words. */
export function quotedName(agentName: string): string {
  return `“${mailedName(agentName)}”`;
}
