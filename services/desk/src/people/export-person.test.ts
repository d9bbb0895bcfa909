import { expect, it } from 'vitest';
import { personMarkdown } from './export-person.js';

const data = {
  id: 'ada@example.org',
  state: 'exported',
  exported_at: '2026-06-01T09:00:00.000Z',
  identity: {
    email: 'ada@example.org',
    tokens: [{ agent_name: '# <b>*Atlas*</b>', scopes: ['write:story'], revoked_at: null }],
    requests_refused: null,
  },
  contributions: {
    contributions: [{ title: 'Two lines', body: 'One\n```\n# no heading\n````', mails: [{ purpose: 'published' }] }],
    mail_choice: { each_receipt: true },
  },
};

it('has every fact once, below a heading of its part', () => {
  expect(personMarkdown(data)).toBe(`# Data about ada@example.org

Exported 2026-06-01T09:00:00.000Z. All times are UTC.

## Access of agents

- email: ada@example.org

### tokens 1 of 1

- agent name: \\# \\<b\\>\\*Atlas\\*\\</b\\>
- scopes: write:story

## Contributions

### contributions 1 of 1

- title: Two lines

#### body

\`\`\`\`\`text
One
\`\`\`
# no heading
\`\`\`\`
\`\`\`\`\`

#### mails 1 of 1

- purpose: published

### mail choice

- each receipt: true
`);
});

it('shows what cannot be seen, and no control characters', () => {
  const hostile = { ...data, identity: { purpose: 'a\u001b[31mred\u202ebc', lines: 'x\n\u001b]0;title\u0007y' } };
  expect(personMarkdown(hostile)).not.toMatch(/[^\n\P{C}]/u);
});
