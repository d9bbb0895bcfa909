import { inUtc } from '@knowledge/runtime';
import { type MailContent, type MailText, renderMail } from '@knowledge/runtime/mail';
import type { Authorization } from '../domain/authorization.js';
import { inWords } from './scope-words.js';

/**
 * The mail after a grant, with the human's own link (protocol 5.5): after their confirmation, or to tell them of a token
 * that support made.
 */
export function accessMail(
  authorization: Pick<Authorization, 'agentName' | 'scopes' | 'createdAt' | 'decidedAt' | 'origin'>,
  link: string,
): MailContent {
  const { agentName, scopes, origin, createdAt, decidedAt } = authorization;
  const bySupport = origin === 'support';
  const opening: MailText = bySupport
    ? [
        'Hello, our support team has given the agent ',
        { strong: agentName },
        ' access in your name, as was asked of it.',
      ]
    : ['Thank you. You have given the agent ', { strong: agentName }, ' access in your name.'];
  const subject = bySupport ? 'An agent was given access in your name' : 'You gave an agent access in your name';
  return renderMail({
    subject,
    preview: 'Keep this mail: its link shows what was granted and sent in your name, and ends it.',
    blocks: [
      { kind: 'heading', text: subject },
      { kind: 'paragraph', text: opening },
      {
        kind: 'facts',
        rows: [
          ['Agent', agentName],
          [bySupport ? 'Given' : 'Confirmed', inUtc(decidedAt ?? createdAt)],
        ],
      },
      { kind: 'paragraph', text: 'For 180 days it may:' },
      { kind: 'list', items: inWords(scopes) },
      {
        kind: 'paragraph',
        text: 'Your own page shows every access that you gave and what was sent in your name, and ends an access at once:',
      },
      { kind: 'button', label: 'See and end access', url: link },
      {
        kind: 'paragraph',
        text: [
          { strong: 'Keep this mail, and keep the link to yourself: ' },
          'whoever has it can see and end your access.',
        ],
      },
      {
        kind: 'note',
        text: bySupport
          ? 'You did not ask for this? End the access on your page; that takes effect within seconds.'
          : 'It was not you who confirmed? End the access on your page; that takes effect within seconds.',
      },
    ],
    footer: [
      'Community Knowledge Service',
      'You get this mail because an access in your name began. We tell you by mail when something sent in your name is published, declined or answered.',
    ],
  });
}
