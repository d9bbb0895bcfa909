import { lookAlikes } from './look-alike.js';

/** A host name in a text, as it is written there. */
export interface HostInText {
  readonly host: string;
  /** The index of its first UTF-16 unit. */
  readonly at: number;
}

/** The hosts of the links of a text, at most `most`. A link has a scheme or begins with `www.`. */
export function hostsIn(text: string, most = 50): HostInText[] {
  const found: HostInText[] = [];
  for (const match of text.matchAll(link)) {
    const host = match[1]?.replace(/\.+$/, '') ?? '';
    found.push({ host, at: match.index + match[0].length - (match[1]?.length ?? 0) });
    if (found.length === most) break;
  }
  return found;
}

// What stands before an at sign is no host: `https://good.example@other.example/` leads to the second.
const link =
  /(?:\bhttps?:\/\/(?:[^\s/?#"'<>()[\]{}|\\^`]{0,253}@)?(?:www\.)?|\bwww\.)([^\s/?#:@"'<>()[\]{}|\\^`,;!]{1,253})/giu;

/** Whether a host name has Punycode, or a part with foreign letters that people read as Latin ones. */
export function looksLikeAnother(host: string): boolean {
  return host
    .toLowerCase()
    .split('.')
    .some((label) => {
      if (label.startsWith('xn--')) return true;
      return foreign.test(label) && lookAlikes(label).some((form) => /^[a-z0-9-]+$/.test(form));
    });
}

/** A letter that is not Latin, or a sign that no host name has. */
const foreign = /(?!\p{sc=Latin})\p{L}|[^\p{ASCII}\p{L}\p{M}\p{N}-]/u;
