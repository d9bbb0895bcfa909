import { withoutHiddenCharacters } from './hidden-characters.js';

/** Whether a name contains an e-mail address, also one in words: `jo (at) example dot org`. */
export function containsAddress(name: string): boolean {
  const plain = foldSpelling(name);
  return spellings.some((spelling) => spelling.test(plain));
}

/** Makes texts equal that differ in case, width or hidden characters. */
export function foldSpelling(text: string): string {
  return withoutHiddenCharacters(text.normalize('NFKC')).normalize('NFKC').toLowerCase();
}

/** A dot of an address, or a word for it. */
const dot = String.raw`(?:\s*[.。]\s*|\s*[([{<]\s*(?:dot|punkt|punto|point|\.)\s*[)\]}>]\s*|\s+(?:dot|punkt|punto|point)\s+)`;

const spellings = [
  /[^\s@<>]@[^\s@<>]/,
  // With spaces around the @, a dot must follow, since "Jo @ Acme" is an allowed name.
  new RegExp(String.raw`[^\s@]\s*@\s*[^\s@.,]+${dot}\p{L}{2,}`, 'u'),
  /[\p{L}\p{N}]\s*[([{<]\s*(?:at|ät|@)\s*[)\]}>]\s*[\p{L}\p{N}]/u,
  new RegExp(String.raw`[\p{L}\p{N}]\s+(?:at|ät)\s+[\p{L}\p{N}-]+${dot}\p{L}{2,}`, 'u'),
  /[\p{L}\p{N}][_.-]+at[_.-]+[\p{L}\p{N}-]+[_.-]+(?:dot[_.-]+)?\p{L}{2,}$/u,
];
