// Strangers wrote much of what the desk shows: control characters could steer the terminal, bidi marks reorder what it says.
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text for one line or one cell: no control or bidi characters, no line breaks. */
export function cleanLine(text: string): string {
  return text
    .replace(/\s*[\r\n\t\u2028\u2029]+\s*/g, ' ')
    .replace(controls, '\ufffd')
    .trim();
}

/** Text of several lines: no control or bidi characters but line breaks and tabs. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(controls, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));
}

/** JSON on one line, or indented; what a terminal could obey is escaped. */
export function cleanJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
