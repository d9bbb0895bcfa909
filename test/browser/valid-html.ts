import { HtmlValidate } from 'html-validate';
import { expect } from 'vitest';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // HTML allows the doctype in upper and lower case.
    'doctype-style': 'off',
    // Authors may write titles of up to 160 characters.
    'long-title': 'off',
    // Every button is in a form and submits it, which is the default.
    'no-implicit-button-type': 'off',
    // The buttons of a choice have the same name. The rule compares only their types.
    'form-dup-name': 'off',
    // In a Markdown table only the first row has header cells, so their default scope is the column.
    'wcag/h63': 'off',
  },
});

/** Checks that html-validate finds no problem in a page. */
export async function expectValidHtml(html: string, of = 'page'): Promise<void> {
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) => messages);
  expect(
    found.map(({ ruleId, line, column, message }) => `${line}:${column} ${ruleId}: ${message}`),
    of,
  ).toEqual([]);
}
