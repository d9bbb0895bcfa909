import { codePoints } from '@knowledge/runtime';
import { spokenDot, withDots } from '@knowledge/runtime/names';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import { countrySpecs, isValidIBAN } from 'ibantools';
import type { TextCheck } from './check.js';

/** Finds what would be personal data of somebody if it were published. */
export const personalData: TextCheck = ({ readable: text }) => {
  const dotted = withDots(text);
  const found = [
    addresses.some((each) => each.test(text) || each.test(dotted)) && 'an e-mail address',
    hasTelephoneNumber(text) && 'a telephone number',
    hasBankAccount(text) && 'an IBAN',
    birthDate.test(text) && 'a date of birth',
    postalAddresses.some((each) => each.test(text)) && 'a postal address',
  ].filter((each) => each !== false);
  return found.length === 0 ? undefined : { weight: 20, text: `${found.join(' and ')} in the text` };
};

const label = '[\\p{L}\\p{N}-]{1,63}';
const at = '(?:ät|arroba|arobase)';
// With signs, or in words for them. Where people write "at", a dot must be said too: "read more at example.org" is none.
const addresses: readonly RegExp[] = [
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/u,
  new RegExp(String.raw`[\p{L}\p{N}] ?[([{<] ?(?:at|@|${at}) ?[)\]}>] ?${label}\.\p{L}`, 'iu'),
  new RegExp(String.raw`[\p{L}\p{N}] (?:at ${label}${spokenDot}|${at} ${label}\.\p{L})`, 'iu'),
  new RegExp(String.raw` (?:dot|punkt|punto|point) ${label} at ${label}\.\p{L}`, 'iu'),
];

// A number counts if it begins with + or 0 and has 9 to 15 digits. So dates and amounts do not count.
function hasTelephoneNumber(text: string) {
  for (const [found] of text.matchAll(/(?<![\p{L}\p{N}.,/-]|\d )(?:\+|\(?0)[\d\s()/.-]{7,24}\d(?![\p{L}\p{N}])/gu)) {
    const digits = codePoints(found.replace(/\D/g, ''));
    const isDate = /^\(?\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(found);
    if (digits >= 9 && digits <= 15 && !isDate) return true;
  }
  return false;
}

// The country says how long its number is, and the check digits say whether it is one.
function hasBankAccount(text: string) {
  for (const [found] of text.matchAll(/(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/giu)) {
    const compact = found.replace(/[ -]/g, '').toUpperCase();
    const length = countrySpecs[compact.slice(0, 2)]?.chars;
    if (length && isValidIBAN(compact.slice(0, length))) return true;
  }
  return false;
}

const date =
  '(?:\\d{1,2}[./ -]{1,2}\\d{1,2}[./ -]{1,2}\\d{2,4}|\\d{4}[-/.年]\\d{1,2}[-/.月]\\d{1,2}|\\d{1,2}(?:\\.|st|nd|rd|th)? (?:de )?\\p{L}{3,12}\\.?,? (?:de )?\\d{4}|\\p{L}{3,12} \\d{1,2},? \\d{4})';
const birth = String.raw`born (?:on )?|date of birth|birth ?date|birthday|d\.?o\.?b\.?|geboren|geb\.|geburtsdatum|geburtstag|née? le|date de naissance|nacid[oa]|fecha de nacimiento|nat[oa] il|data di nascita|nascid[oa]|data de nascimento|geboortedatum|urodzon[ya]|data urodzenia|doğum tarihi|родил(?:ся|ась)|дата рождения|生年月日|出生日期|född|født|syntynyt`;
const birthDate = new RegExp(`(?<!\\p{L})(?:${birth})[^\\d]{0,20}${date}`, 'iu');

// A street with a number, near a postal code. No library finds addresses of several countries in a text.
const postalAddresses: readonly RegExp[] = [
  /(?<!\p{L})(?:\p{L}{2,30} ?)?(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|[Ww]eg|[Gg]asse|[Pp]latz|[Aa]llee|[Rr]ing|[Uu]fer|[Dd]amm) {1,2}\d{1,4} ?[a-z]?,?.{0,30}\b(?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}/u,
  /\b\d{1,5}[a-z]? (?:\p{Lu}[\p{L}.']{0,20} ){1,4}(?:street|st\.?|road|rd\.?|avenue|ave\.?|lane|ln\.?|drive|dr\.?|boulevard|blvd\.?|court|square)\b.{0,60}?(?:[A-Z]{2},? \d{5}\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b)/iu,
  /\b\d{1,4}(?: ?bis)?,? (?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d|[Pp]lace|[Cc]hemin|[Ii]mpasse|[Aa]llée|[Qq]uai) .{1,50}?\b\d{5} \p{Lu}/u,
  /\b(?:calle|c\/|avenida|plaza|paseo|via|viale|piazza|corso|rua|travessa|ul\.|ulica)\s.{2,40}?\d{1,4}.{0,25}?\b(?:\d{5}|\d{4}-\d{3}|\d{2}-\d{3})\b/iu,
];

/**
 * Finds keys, tokens and passwords with the rules of secretlint. Returns the names of the
 * rules, such as `aws`, and never what they found. Its core is not used: that keeps a mark of every run for ever.
 */
export async function secretsIn(text: string): Promise<string[]> {
  const source = { ...noFile, content: text } as SecretLintSourceCode;
  const found = await Promise.all(
    rules.map(async ({ meta, create }) => {
      let isFound = false;
      const report = () => {
        isFound = true;
      };
      await create({ ...context, report }, { enableIDScanRule: true }).file?.(source);
      return isFound ? [meta.id.replace(/^.*-rule-/, '')] : [];
    }),
  );
  return [...found.flat(), ...(password.test(text) ? ['password'] : [])];
}

const noFile = {
  hasBOM: false,
  filePath: 'text',
  physicalFilePath: undefined,
  contentType: 'text',
  ext: '',
  getFilePath: () => 'text',
  getPhysicalFilePath: () => undefined,
} as const;

const context = {
  sharedOptions: {},
  createTranslator: () => (messageId: PropertyKey) => ({ message: '', messageId: String(messageId) }),
  // A comment of the text must not hide what the text has.
  ignore: () => undefined,
} as unknown as Omit<SecretLintRuleContext, 'report'>;

// A word for a password with a value. That of an example is often a variable or in brackets.
const password =
  /(?:pass(?:word|wort|phrase)|kennwort|mot de passe|contraseña|senha|wachtwoord|has[lł]o|parola|şifre|пароль|パスワード|密码)["'`*]{0,3}\s{0,3}(?:[:=：]|is|ist|est|es|è)\s{0,3}["'`*]{0,3}(?![<$*{[(%…])\S{0,40}[\d!#&+@]/iu;
