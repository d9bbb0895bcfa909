import { expect, it } from 'vitest';
import { readConfig } from '../config/read-config.js';
import { url } from '../config/variable.js';
import { operatorFaults, operatorOf, operatorVariables } from './operator.js';

const variables = { ...operatorVariables, PUBLIC_URL_IO: url(), PUBLIC_URL_ORG: url() };
const read = (env: Record<string, string>) => readConfig(env, variables, operatorFaults);
const local = { PUBLIC_URL_IO: 'http://localhost:8080', PUBLIC_URL_ORG: 'http://127.0.0.1:8080/' };
const open = { PUBLIC_URL_IO: 'https://io.example', PUBLIC_URL_ORG: 'https://org.example' };
const named = {
  OPERATOR_NAME: 'Example Ltd',
  OPERATOR_CONTACT: 'help@knowledge.example',
  PRIVACY_URL: 'https://example.org/privacy',
};

it('has sample values at a local start, with our own page as privacy notice', () => {
  expect(operatorOf(read(local))).toEqual({
    name: 'Whoever started it on this machine',
    contact: {
      text: 'operator@knowledge.example',
      url: 'mailto:operator@knowledge.example',
      email: 'operator@knowledge.example',
    },
    privacyUrl: 'http://127.0.0.1:8080/privacy',
    license: { name: 'All rights reserved by the authors' },
  });
});

it('must be configured if a public URL leads to another machine', () => {
  for (const urls of [open, { ...local, PUBLIC_URL_IO: open.PUBLIC_URL_IO }]) {
    expect(() => read(urls)).toThrow(/OPERATOR_NAME is missing[\s\S]*OPERATOR_CONTACT is missing[\s\S]*PRIVACY_URL/);
  }
  expect(read({ ...open, ...named })).toMatchObject(named);
});

it('has one address or one URL as contact', () => {
  expect(() => read({ ...local, OPERATOR_CONTACT: 'javascript:alert(1)' })).toThrow('OPERATOR_CONTACT is');
  expect(() => read({ ...local, OPERATOR_CONTACT: 'a@b.example, c@d.example' })).toThrow('OPERATOR_CONTACT is');
  const { contact } = operatorOf(read({ ...local, OPERATOR_CONTACT: 'https://example.org/help' }));
  expect(contact).toEqual({ text: 'https://example.org/help', url: 'https://example.org/help' });
});

it('names the licence of the texts, with its URL if there is one', () => {
  const license = (setting: string) => operatorOf(read({ ...local, CONTENT_LICENSE: setting })).license;
  const url = 'https://creativecommons.org/licenses/by/4.0/';
  expect(license(`CC BY 4.0 ${url}`)).toEqual({ name: 'CC BY 4.0', url });
  expect(license('CC0')).toEqual({ name: 'CC0' });
  expect(license(url)).toEqual({ name: url, url });
});
