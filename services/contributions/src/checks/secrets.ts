import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';

/**
 * Finds keys, tokens and passwords with the rules of secretlint. Returns the names of the
 * rules, such as `aws`, and never what they found. Its core is not used: that keeps a mark of every run for ever.
 */
export async function secretsIn(text: string): Promise<string[]> {
  const source = { ...noFile, content: text } as SecretLintSourceCode;
  const found = await Promise.all(
    rules.map(async ({ meta, create }) => {
      let isFound = false;
      const report = (): void => {
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
