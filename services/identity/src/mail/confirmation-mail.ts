import { inUtc } from '@knowledge/runtime';
import { type MailBlock, type MailContent, renderMail } from '@knowledge/runtime/mail';
import type { Authorization } from '../domain/authorization.js';
import { inWords } from './scope-words.js';

/**
 * The mail that asks the human (protocol 5.2). It says what the agent gave as its name and nothing else that a stranger
 * wrote; the purpose is on the page only.
 */
export function confirmationMail(
  authorization: Pick<Authorization, 'agentName' | 'scopes' | 'userCode' | 'createdAt' | 'expiresAt'>,
  link: string,
  lifeMinutes: number,
): MailContent {
  const { agentName, scopes, userCode, createdAt, expiresAt } = authorization;
  return renderMail({
    subject: 'An agent asks for access in your name',
    preview: 'Look at the request, then confirm or decline it. Nothing happens until you do.',
    blocks: [
      { kind: 'heading', text: 'An agent asks for access in your name' },
      {
        kind: 'paragraph',
        text: [
          'Hello, the agent ',
          { strong: agentName },
          ' would like to use the Community Knowledge Service for you.',
        ],
      },
      {
        kind: 'facts',
        rows: [
          ['Agent', agentName],
          ['Asked', inUtc(createdAt)],
          ['Open until', inUtc(expiresAt)],
        ],
      },
      { kind: 'paragraph', text: 'If you confirm, for 180 days it may:' },
      { kind: 'list', items: inWords(scopes) },
      ...comparison(userCode),
      { kind: 'button', label: 'Look at the request', url: link },
      {
        kind: 'paragraph',
        text: [
          'The page shows the request with two buttons, ',
          { strong: 'Confirm' },
          ' and ',
          { strong: 'Decline' },
          `. Opening it decides nothing. The link works for ${minutes(lifeMinutes)}; after that its page can send you a new one.`,
        ],
      },
      {
        kind: 'note',
        text: 'You did not expect this? Choose Decline on the page, or ignore this mail: without your confirmation the agent gets nothing and the request ends by itself.',
      },
    ],
    footer: [
      'Community Knowledge Service',
      'You get this mail because an agent gave your address as the person that it acts for. Unless you confirm, you hear no more of it.',
    ],
  });
}

function comparison(userCode: string): MailBlock[] {
  if (userCode === '') {
    return [
      {
        kind: 'paragraph',
        text: 'The page asks you for the code that your agent shows you. If nobody has shown you one, decline.',
      },
    ];
  }
  return [
    { kind: 'paragraph', text: 'Your agent should show you this code:' },
    { kind: 'code', value: userCode },
    { kind: 'paragraph', text: 'If it shows another one, or none at all, decline.' },
  ];
}

function minutes(count: number): string {
  return count === 1 ? 'one minute' : `${count} minutes`;
}
