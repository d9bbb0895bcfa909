/**
 * An agent's name that no mail program turns into a link. A thin space follows each dot and slash, as in `evil.example`
 * and `a/b`. Between digits, as in `GPT-4.1`, nothing changes.
 */
export function mailedName(agentName: string): string {
  return agentName.replace(/([./])(?=\S)(?!(?<=\d\.)\d)/g, '$1\u200a');
}

/** The name in quotation marks, so that readers do not take it for our words. */
export function quotedName(agentName: string): string {
  return `“${mailedName(agentName)}”`;
}
