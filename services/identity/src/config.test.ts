import { expect, it } from 'vitest';
import { readIdentityConfig } from './config.js';

it('reports all invalid variables', () => {
  const faulty = {
    MAIL_FROM: 'nobody',
    SMTP_URL: 'smtp://user@mail.example.org',
    PUBLIC_URL_IO: 'https://io.example?x=1',
    MONGODB_URI: 'mongodb://127.0.0.1',
  };
  expect(() => readIdentityConfig(faulty)).toThrow(/SMTP_URL[\s\S]*MAIL_FROM[\s\S]*PRIVACY_URL[\s\S]*PUBLIC_URL_IO/);
});
