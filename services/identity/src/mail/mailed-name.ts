/**
 * An agent's name for a mail. Mail programs turn `evil.example` and `a/b` into links; with a thin space behind the dot and
 * the slash they do not. Between digits, as in `GPT-4.1`, nothing is broken up.
 */
export function mailedName(agentName: string): string {
  return agentName.replace(/([./])(?=\S)(?!(?<=\d\.)\d)/g, '$1\u200a');
}

/** The name as a sentence of ours quotes it, so that it is not read as words of ours. */
export function quotedName(agentName: string): string {
  return `“${mailedName(agentName)}”`;
}
