// Strangers write much of the text that the desk prints. Their control characters could change the terminal, and bidi
// marks could reorder the text.
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes text safe for one line or table cell: removes line breaks, and replaces control and bidi characters. */
export function terminalSafeLine(text: string): string {
  return text
    .replace(/\s*[\r\n\t\u2028\u2029]+\s*/g, ' ')
    .replace(controls, '\ufffd')
    .trim();
}

/** Makes text of several lines safe, as `terminalSafeLine` does, but keeps line breaks and tabs. */
export function terminalSafeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(controls, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));
}

/** Writes JSON; if `indent` is undefined, on one line. Escapes characters that could change the terminal. */
export function terminalSafeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
