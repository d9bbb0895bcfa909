import { parse } from 'tldts';
import { withoutHiddenCharacters } from './hidden-characters.js';

/** A dot that is said: in brackets, or as a word before an end that every reader knows. A part of a regular expression. */
export const spokenDot = String.raw`(?<=[\p{L}\p{N}])\s?(?:[([{]\s?(?:dot|punkt|punto|point|\.)\s?[)\]}]\s?(?=\p{L}{2})|\s(?:dot|punkt|punto|point)\s(?=(?:com|net|org|info|io|me|app|xyz|example)(?![\p{L}\p{N}]))|\s(?:dot|punkt)\s(?=(?:de|ch|eu|uk)(?![\p{L}\p{N}])))`;

const spoken = new RegExp(spokenDot, 'giu');

/** Writes a dot for each that is said. */
export function withDots(text: string): string {
  return text.replaceAll('。', '.').replace(spoken, '.');
}

/** Whether the end of a host is one that networks know. */
export function isHost(host: string): boolean {
  const { isIp, isIcann, publicSuffix } = parse(host);
  return isIp === true || isIcann === true || /^(?:example|onion|test)$/.test(publicSuffix ?? '');
}

/** The hosts that stand in plain words without a scheme, such as `evil.example/offer` and `evil dot com`, at most `most`. */
export function bareHostsIn(text: string, most = 50): string[] {
  const found: string[] = [];
  for (const [host] of withDots(text).matchAll(bareHosts)) {
    if (isHost(host) && found.push(host) === most) break;
  }
  return found;
}

const noHosts = '(?:md|js|ts|py|rs|sh|go|json|ya?ml|html?|txt|pdf|csv|xml|css|zip)';
// Without a path few ends count: others are words of programs too, as in `user.name`, or of files.
const usualEnds = 'com|net|org|biz|xyz|shop|vip|icu|de|ch|eu|uk|fr|nl|ru|cn|jp|рф|example|onion';
const bareHosts = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}@./:\\_-])(?![wW]{3}\.|(?:asp|vb)\.net)(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,9}(?:(?:${usualEnds}|${usualEnds.toUpperCase()})(?![\p{L}\p{M}\p{N}@_(-]|\.[\p{L}\p{N}])|(?!${noHosts}\b)\p{L}{2,24}(?=(?::\d{1,5})?/[\p{L}\p{N}]))`,
  'gu',
);

/** The hosts of the URLs in plain words, at most `most`. A URL has a scheme or begins with `www.`. */
export function hostsIn(text: string, most = 50): string[] {
  const found: string[] = [];
  for (const [, host = ''] of text.matchAll(url)) {
    if (found.push(host.replace(/\.+$/, '')) === most) break;
  }
  return found;
}

// What stands before an at sign is no host: `https://good.example@other.example/` leads to the second.
const url =
  /(?:\bhttps?:\/\/(?:[^\s/?#"'<>()[\]{}|\\^`]{0,253}@)?(?:www\.)?|\bwww\.)([^\s/?#:@"'<>()[\]{}|\\^`,;!]{1,253})/giu;

/** The host to which a URL leads, as the network asks for it, without `www.`. Empty for a URL without a host. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? bareHostOf(new URL(url)) : '';
}

function bareHostOf({ hostname }: URL) {
  return hostname.replace(/^www\.(?=.)|\.$/g, '');
}

/** Where a link leads, if people read the address of another host in its words. Undefined for an honest link. */
export function hiddenTarget(words: string, whole: string): string | undefined {
  // A reference may have a long target and be used often.
  const target = whole.slice(0, 2_000);
  const shown = withoutHiddenCharacters(words).normalize('NFKC').replaceAll('。', '.').trim();
  const bare = bareHost.exec(shown)?.[1];
  const [host = bare ?? bareHostsIn(shown, 1)[0]] = hostsIn(shown, 1);
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const real = (url && bareHostOf(url)) || (/^mailto:[^?]*@([^?]+)/i.exec(target)?.[1] ?? target);
  // `https://good.example@evil.example` begins with the name of another host.
  if (url?.username.includes('.')) return real;
  if (host === undefined || (host === bare && url?.pathname.endsWith(`/${shown}`))) return undefined;
  const claimed = hostOf(`http://${host}`) || host;
  const isSame = `.${real}`.endsWith(`.${claimed}`) || `.${claimed}`.endsWith(`.${real}`);
  return isSame ? undefined : real;
}

// Words that are nothing but a domain, and no name of a file.
const bareHost = new RegExp(
  String.raw`^(?:[^\s@/]+@)?((?:[\p{L}\p{N}-]{1,63}\.){1,8}(?!${noHosts}\b)\p{L}[\p{L}-]{1,62})(?:[/?#:]\S*)?$`,
  'iu',
);
