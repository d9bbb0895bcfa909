/**
 * Says about how many tokens a language model needs to read a text. It weighs characters by kind, because the tables of
 * a real tokenizer cost each process 80 MB (gateway/PROTOCOL.md#reading-tokens).
 */
export function readingTokens(text: string): number {
  let hundredths = 0;
  let letters = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (asciiKinds[code] ?? other) : kindBeyondAscii(code);
    if (kind === letter) {
      digits = 0;
      letters += 1;
      if (letters === 1) hundredths += wordWeight;
      else if (letters > freeLetters) hundredths += letterWeight;
      continue;
    }
    letters = 0;
    if (kind !== digit) {
      digits = 0;
      hundredths += kind;
      continue;
    }
    if (digits % 3 === 0) hundredths += digitsWeight;
    digits += 1;
  }
  return Math.ceil(hundredths / 100);
}

// The weights, in hundredths of a token, are fitted to o200k_base over the sample content, code and other scripts.
const wordWeight = 97;
/** The letters of a word that cost nothing more than the word. */
const freeLetters = 6;
const letterWeight = 28;
/** Of up to three digits. */
const digitsWeight = 165;
const space = 0;
const lineEnd = 115;
const mark = 44;
const latin = 70;
const greekOrCyrillic = 37;
const semitic = 36;
const indicOrThai = 60;
const ideograph = 80;
const other = 60;

// These two stand for kinds whose weight depends on what is before them.
const letter = -1;
const digit = -2;

const asciiKinds: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return letter;
  if (/[0-9]/.test(character)) return digit;
  if (character === '\n') return lineEnd;
  return code <= 32 ? space : mark;
});

function kindBeyondAscii(code: number): number {
  if (code >= 0xc0 && code <= 0x24f) return latin;
  if (code >= 0x370 && code <= 0x52f) return greekOrCyrillic;
  if (code >= 0x590 && code <= 0x8ff) return semitic;
  if (code >= 0x900 && code <= 0xe7f) return indicOrThai;
  const isEastAsian =
    (code >= 0x3040 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7ff) || (code >= 0xf900 && code <= 0xfaff);
  return isEastAsian ? ideograph : other;
}
