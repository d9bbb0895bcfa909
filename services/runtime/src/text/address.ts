import { domainToASCII } from 'node:url';
import { bounds } from '../product/bounds.js';
import { nameOf, onlySeen } from './hidden-characters.js';

/**
 * Whether a string is exactly one plain mailbox (SECURITY.md#mail). It must be ASCII with at most 254 characters: a
 * dot-atom of at most 64, one `@`, and a domain with a dot. Lists, names, comments, quotes, address literals and
 * control characters are refused. The check takes linear time.
 */
export function isSingleAddress(input: string): boolean {
  if (input.length > bounds.email.max) return false;
  const at = input.indexOf('@');
  const local = input.slice(0, at);
  const domain = input.slice(at + 1);
  if (at < 1 || local.length > 64 || domain.length > 253) return false;
  if (!localCharacters.test(local) || local.startsWith('-')) return false;
  if (local.split('.').includes('')) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every((label) => domainLabel.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

const localCharacters = /^[A-Za-z0-9._+\-!#$%&'*/=?^`{|}~]+$/;
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** What is wrong with an address that somebody typed. The words follow the name of a field; undefined for one plain address. */
export function addressFault(input: string): string | undefined {
  const typed = input.trim();
  if (typed.length > bounds.email.max) return emailBound;
  if (isSingleAddress(asciiAddress(typed))) return undefined;
  const address = typed.normalize();
  const [hidden] = /\p{Default_Ignorable_Code_Point}/u.exec(address) ?? [];
  if (hidden !== undefined) return `must not contain ${nameOf(hidden)}, which nobody sees`;
  const [letter] = /[^\0-\x7f]/u.exec(address.slice(0, Math.max(0, address.lastIndexOf('@')))) ?? [];
  if (letter === undefined) return emailBound;
  return `must have no “${letter}” before the @: only a to z, digits and signs can stand there; use another address`;
}

/** What an address must be. */
export const emailBound =
  'must be exactly one plain address like jane@example.org: without a name, < >, mailto:, blanks or a second address';

/**
 * Reads an address as somebody typed it. White space around it is cut off, and its domain becomes ASCII, such as
 * `xn--bcher-kva.example`. Other text stays as it is.
 */
export function asciiAddress(input: string): string {
  const address = input.trim();
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  // Only letters of other scripts are converted, so that no ASCII domain changes. IDNA would leave hidden characters out.
  if (
    !/[^\0-\x7f]/.test(domain) ||
    /[^A-Za-z0-9.\-\x80-\u{10ffff}]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u.test(domain)
  )
    return address;
  return address.slice(0, at) + domainToASCII(domain);
}

export interface Sender {
  name: string;
  address: string;
}

/** Reads `MAIL_FROM`: `Name <address>` or only an address. Undefined for other text. */
export function parseSender(input: string): Sender | undefined {
  const match = /^(?:"?([^"<>\p{Cc}]*?)"? *<([^<>]+)>|([^<>\s]+))$/u.exec(input.trim());
  const address = match?.[2] ?? match?.[3];
  if (address === undefined || !isSenderAddress(address)) return undefined;
  return { name: match?.[1]?.trim() ?? '', address };
}

// Only `localhost` needs no dot, for a local start.
function isSenderAddress(address: string) {
  return isSingleAddress(address.replace(/@localhost$/i, '@a.localhost'));
}

/** Whether a name contains an e-mail address, also one in words: `jo (at) example dot org`. */
export function containsAddress(name: string): boolean {
  const plain = foldSpelling(name);
  return spellings.some((spelling) => spelling.test(plain));
}

/** Makes texts equal that differ in case, width or characters that nobody sees. */
export function foldSpelling(text: string): string {
  return onlySeen(text.normalize('NFKC')).normalize('NFKC').toLowerCase();
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

/** A large mail provider, and which of its addresses it documents as one mailbox. Plus-tags are cut everywhere. */
interface Provider {
  readonly domains: string;
  /** Whether a name at any of these domains is the same mailbox. */
  readonly areOne?: boolean;
  /** What the provider passes over in a name. */
  readonly ignored?: RegExp;
  /** Whether `tag@jane.domain` is `jane@domain`. */
  readonly subdomains?: boolean;
  /** Whether what follows a hyphen is a tag. */
  readonly hyphenTags?: boolean;
}

/** A rule stands here only if the provider says so itself: two people must never become one. */
const providers: readonly Provider[] = [
  // https://support.google.com/mail/answer/7436150 (dots), https://support.google.com/mail/answer/10313 (both domains)
  { domains: 'gmail.com googlemail.com', areOne: true, ignored: /\./g },
  // https://proton.me/support/change-username ("transparent" signs), https://proton.me/support/addresses-and-aliases
  { domains: 'proton.me protonmail.com protonmail.ch pm.me', areOne: true, ignored: /[._-]/g },
  // https://support.apple.com/118230: who has a name at the older domains has it at the newer ones.
  { domains: 'icloud.com me.com mac.com', areOne: true },
  // https://yandex.com/support/id/authorization/email.html. That dots are hyphens is said nowhere.
  { domains: 'yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru', areOne: true },
  // https://www.fastmail.help/hc/en-us/articles/360060591053
  { domains: 'fastmail.com fastmail.fm', subdomains: true },
  // http://help.yahoo.com/help/uk/bt/tutorials/mail/addressguard2.html: names have no hyphen, so it begins a tag.
  {
    domains: `yahoo.com ymail.com rocketmail.com yahoo.ca yahoo.co.in yahoo.co.uk yahoo.com.ar yahoo.com.au yahoo.com.br
      yahoo.com.mx yahoo.de yahoo.es yahoo.fr yahoo.in yahoo.it`,
    hyphenTags: true,
  },
  // These document plus-tags at most, and that dots and domains matter.
  {
    domains: `outlook.com outlook.de outlook.fr hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it hotmail.es live.com
      live.co.uk live.fr msn.com aol.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.ru bk.ru
      inbox.ru list.ru rambler.ru orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it wp.pl o2.pl onet.pl
      seznam.cz qq.com 163.com 126.com naver.com daum.net hanmail.net yahoo.co.jp docomo.ne.jp uol.com.br bol.com.br terra.com.br
      comcast.net att.net verizon.net btinternet.com bluewin.ch zoho.com mail.com tuta.com tutanota.com posteo.de mailbox.org`,
  },
];

const providerOf = new Map(
  providers.flatMap((provider) => {
    const domains = provider.domains.split(/\s+/);
    return domains.map((domain) => [domain, { ...provider, main: provider.areOne ? domains[0] : domain }] as const);
  }),
);

/**
 * The mailbox behind an address, for limits, blocks, counts and comparisons; never for delivery or ownership. Spellings
 * that a provider delivers to one mailbox give one text (gateway/PROTOCOL.md#mailboxes). A plus at the beginning is no tag.
 */
export function mailboxOf(email: string): string {
  const address = asciiAddress(email).toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  const domain = address.slice(at + 1);
  const local = address.slice(0, at).replace(/^([^@][^+@]*)\+.*$/, '$1');
  const { main = domain, ignored = /(?!)/, hyphenTags } = providerOf.get(domain) ?? {};
  const [, owner = '', parent = ''] = /^([^.]+)\.(.+)$/.exec(domain) ?? [];
  // A hyphen stands there for an underscore too, and so says not whose it is.
  if (providerOf.get(parent)?.subdomains) return `${owner}@${owner.includes('-') ? domain : parent}`;
  // The mailbox of a tag keeps its hyphen: the name before it may also be that of another person.
  if (hyphenTags) return `${local.replace(/^([^-]+-).*$/, '$1')}@${main}`;
  return `${local.replace(ignored, '') || local}@${main}`;
}

/** Whether anybody can get a mailbox at a domain. What strangers do there says nothing about the domain. */
export function isLargeProvider(domain: string): boolean {
  return providerOf.has(domain);
}

/** A domain with those around it, itself first: `a.b.example`, `b.example`, `example`. A second name gives the first. */
export function domainsAround(domain: string): string[] {
  const labels = domain.toLowerCase().split('.');
  const all = labels.map((_, at) => labels.slice(at).join('.'));
  return all.map((each) => providerOf.get(each)?.main ?? each);
}
