import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** A declared environment variable. */
export interface Variable<Value> {
  /** The value of an input; of none the default. @throws TypeError if it is wrong, or missing and required. */
  readonly parse: (input: string | undefined) => Value;
  /** Describes a valid value. Messages print it after the word "expected". */
  readonly expected: string;
  /** Whether logs and error messages must not show the value. */
  readonly secret: boolean;
}

/** Options of every variable. A variable that has a default or is optional may be absent. */
export interface Declaration<Value, Optional = false> {
  /** The purpose of the variable in a few words. */
  description?: string;
  default?: Value;
  secret?: boolean;
  /** The value is `undefined` if the variable is absent. */
  optional?: Optional;
}

type OrAbsent<Value, Optional> = Optional extends true ? Value | undefined : Value;

/** A string of 1 to 65,536 characters. Other lengths and a check can be declared. */
export function string<Optional = false>(declaration: Text<Optional> = {}): Variable<OrAbsent<string, Optional>> {
  const { min = 1, max = 65_536, accepts } = declaration;
  const expected = declaration.expected ?? (min > 1 ? `a string of ${min} to ${max} characters` : 'a string');
  return declare(declaration, expected, (input) =>
    input.length < min || input.length > max || accepts?.(input) === false ? undefined : input,
  );
}

interface Text<Optional> extends Declaration<string, Optional> {
  min?: number;
  max?: number;
  /** Whether a value can be used. It may also throw. */
  accepts?: (input: string) => boolean;
  /** Describes such a value in words, for error messages. */
  expected?: string;
}

/** The PEM certificates of the authorities of another server. */
export function authorities(description: string): Variable<string | undefined> {
  const expected = 'PEM certificates, or the path of their file in the variable with _FILE';
  return string({ description, expected, accepts: hasCertificates, optional: true, secret: true });
}

/** A whole number within bounds. */
export function integer<Optional = false>(
  declaration: Bounds & Declaration<number, Optional>,
): Variable<OrAbsent<number, Optional>> {
  const { min, max } = declaration;
  return declare(declaration, `a whole number from ${min} to ${max}`, (input) =>
    within(input, /^-?\d{1,15}$/, min, max),
  );
}

interface Bounds {
  min: number;
  max: number;
}

/** A time span in seconds; fractions are allowed. The default bounds are 0 and one year. */
export function seconds(declaration: Partial<Bounds> & Declaration<number> = {}): Variable<number> {
  const { min = 0, max = 366 * 86_400 } = declaration;
  const expected = `a number of seconds from ${min} to ${max}`;
  return declare(declaration, expected, (input) => within(input, /^\d{1,12}(\.\d{1,6})?$/, min, max));
}

/** A number from 0 to 1. */
export function fraction(declaration: Declaration<number> = {}): Variable<number> {
  return declare(declaration, 'a number from 0 to 1', (input) => within(input, /^\d(\.\d{1,9})?$/, 0, 1));
}

/** A Boolean, written as `true`, `false`, `on`, `off`, `yes`, `no`, `1` or `0`. */
export function flag(declaration?: Declaration<boolean>): Variable<boolean> {
  return declare(declaration ?? {}, 'true or false', (input) => {
    const word = input.toLowerCase();
    return (
      ['true', 'on', 'yes', '1'].includes(word) || (['false', 'off', 'no', '0'].includes(word) ? false : undefined)
    );
  });
}

/** A value that must be one of the given words. */
export function choice<const Word extends string, Optional = false>(
  words: readonly Word[],
  declaration: Declaration<NoInfer<Word>, Optional> = {},
): Variable<OrAbsent<Word, Optional>> {
  return declare<Word, Optional>(declaration, `one of ${words.join(', ')}`, (input) =>
    words.find((each) => each === input),
  );
}

/** A comma-separated list. Items are trimmed and, with `accepts`, checked. An absent variable gives an empty list. */
export function list(
  declaration: Declaration<readonly string[]> & { accepts?: (item: string) => boolean; of?: string } = {},
): Variable<readonly string[]> {
  const { accepts, of = 'words' } = declaration;
  return declare({ default: [], ...declaration }, `${of}, separated by commas`, (input) => {
    const items = input.split(',').map((item) => item.trim());
    return items.some((item) => item === '' || accepts?.(item) === false) ? undefined : items;
  });
}

/**
 * An absolute URL with one of the given schemes (default http and https). The value keeps the spelling
 * of the input.
 */
export function url<Optional = false>(
  declaration: UrlDeclaration<Optional> = {},
): Variable<OrAbsent<string, Optional>> {
  const { schemes = ['http', 'https'] } = declaration;
  const expected = `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return declare(declaration, expected, (input) => {
    const scheme = schemes.find((each) => input.startsWith(`${each}://`));
    // The WHATWG parser refuses a MongoDB URI with several hosts, so only http URLs are parsed completely.
    if (scheme === undefined || input.length === scheme.length + 3 || /\s/.test(input)) return undefined;
    return scheme.startsWith('http') && !URL.canParse(input) ? undefined : input;
  });
}

interface UrlDeclaration<Optional> extends Declaration<string, Optional> {
  schemes?: readonly string[];
}

/** A `host:port`. The host is a name, an IPv4 address or an IPv6 address in brackets. Port 0 selects a free port. */
export function address<Optional = false>(
  declaration: Declaration<string, Optional> = {},
): Variable<OrAbsent<string, Optional>> {
  return declare(declaration, 'an address like 127.0.0.1:50051', (input) => (isAddress(input) ? input : undefined));
}

/** The address of a gRPC service: `host:port` or `dns:///host:port`. */
export function target<Optional = false>(
  declaration: Declaration<string, Optional> = {},
): Variable<OrAbsent<string, Optional>> {
  return declare(declaration, 'an address like 127.0.0.1:50051 or dns:///content:50051', (input) =>
    isAddress(input.replace(/^dns:\/\/\//, '')) ? input : undefined,
  );
}

function isAddress(input: string) {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(input);
  if (match === null || Number(match[3]) > 65_535) return false;
  return match[1] === undefined || isIP(match[1]) === 6;
}

function within(input: string, pattern: RegExp, min: number, max: number) {
  const value = Number(input);
  return !pattern.test(input) || value < min || value > max ? undefined : value;
}

function declare<Value, Optional = false>(
  declaration: Declaration<Value, Optional>,
  expected: string,
  parse: (input: string) => Value | undefined,
): Variable<OrAbsent<Value, Optional>> {
  const { description, secret = false, optional } = declaration;
  return {
    parse: (input) => {
      const value = input === undefined ? declaration.default : parse(input);
      if (value === undefined && (input !== undefined || !optional)) throw new TypeError('no value');
      return value as OrAbsent<Value, Optional>;
    },
    expected: description === undefined ? expected : `${expected} (${description})`,
    secret,
  };
}

/**
 * Whether a text has PEM certificates.
 *
 * @throws Error if one of them cannot be read.
 */
export function hasCertificates(pem: string): boolean {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  for (const each of found) new X509Certificate(each);
  return found.length > 0;
}

/** The parts of a `host:port`. An IPv6 host has no brackets. */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

/** The `host:port` of these parts, as it stands in a URL. The host may have brackets. */
export function joinAddress(host: string, port: number): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Listens at a `host:port`. Where the system has no IPv6, `[::]` means all its IPv4 addresses. */
export async function listenAt<Result>(
  address: string,
  listen: (host: string, port: number) => Promise<Result>,
): Promise<Result> {
  const { host, port } = splitAddress(address);
  try {
    return await listen(host, port);
  } catch (error) {
    if (host !== '::' || !/EAFNOSUPPORT|EADDRNOTAVAIL/.test((error as Error).message)) throw error;
    return listen('0.0.0.0', port);
  }
}
