import { type MailDraft, renderMail } from '@knowledge/runtime/mail';
import { expect, test } from 'vitest';
import { ownChromium } from '../harness/own.js';

const name = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenagent-2026';
const title = 'Rechtsschutzversicherungsgesellschaften'.repeat(4);
const url = `https://knowledge.example/${'long-path-'.repeat(20)}`;
const draft: MailDraft = {
  subject: title,
  preview: name,
  blocks: [
    { kind: 'paragraph', text: ['The agent ', { strong: name }, ` sent ${title}. See `, { link: url, url }] },
    {
      kind: 'facts',
      rows: [
        ['Agent', name],
        ['In reply to', title],
      ],
    },
    { kind: 'code', value: 'WDJB-MJHT' },
    { kind: 'list', items: [name, title] },
    { kind: 'button', label: `Read ${title}`, url },
    { kind: 'quote', text: title, by: name },
    { kind: 'note', text: title },
  ],
  footer: [`You get this mail because ${name} sent ${title}.`],
};
const operator = { name: title, contact: { text: url, url }, privacyUrl: url, license: { name: 'CC0' } };

const browser = await ownChromium();

test.each([320, 375])('a mail is at most %i px wide, with any names and titles', async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 800 }, javaScriptEnabled: true });
  await page.setContent(renderMail(draft).signedBy(operator).html);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.screenshot({ path: process.env['MAIL_SHOT'] ?? '/dev/null', fullPage: true, type: 'png' });
  await page.close();
});
