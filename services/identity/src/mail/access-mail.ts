import { formatUtcEnd, formatUtcTime } from '@knowledge/runtime';
import { linkNote, type MailBlock, type MailContent, type MailText, renderMail } from '@knowledge/runtime/mail';
import { accessEnd, publicWords, scopeWords, sharedLimits } from '@knowledge/runtime/product';
import type { Authorization } from '../domain/authorization.js';
import { quotedName } from './mailed-name.js';

type NewAccess = Pick<Authorization, 'agentName' | 'scopes' | 'createdAt' | 'decidedAt' | 'origin' | 'renews'>;

/** The link to the access page, and when it ends. */
export interface OwnLink {
  readonly url: string;
  readonly until: Date;
}

/**
 * The mail with the access link (gateway/PROTOCOL.md#access-page). A human gets it after a confirmation, or when
 * support has issued a token.
 */
export function accessMail(authorization: NewAccess, link: OwnLink): MailContent {
  const { scopes, origin } = authorization;
  const bySupport = origin === 'support';
  const subject = bySupport ? 'An agent was given access in your name' : 'You gave an agent access in your name';
  const inPublic = publicWords(scopes);
  return renderMail({
    subject,
    preview: 'Keep this mail: its link shows what agents do in your name, and stops them.',
    blocks: [
      { kind: 'paragraph', text: opening(authorization) },
      ...facts(authorization),
      { kind: 'paragraph', text: 'It can:' },
      { kind: 'list', items: scopeWords(scopes) },
      ...(inPublic === undefined ? [] : [{ kind: 'paragraph' as const, text: inPublic }]),
      { kind: 'paragraph', text: sharedLimits },
      {
        kind: 'paragraph',
        text: bySupport
          ? [{ strong: 'You did not ask for this? ' }, 'Stop it on your page; that takes effect within seconds.']
          : [{ strong: 'It was not you? ' }, 'Stop it on your page; that takes effect within seconds.'],
      },
      { kind: 'button', label: 'See it or stop it', url: link.url },
      {
        kind: 'paragraph',
        text: 'Your own page shows every agent that can act for you and what was sent in your name.',
      },
      linkNote(link.until),
    ],
    footer: ['Community Knowledge Service', 'You get this mail because an agent can act in your name from now on.'],
  });
}

function opening({ agentName, origin, renews }: NewAccess): MailText {
  const name = { strong: quotedName(agentName) };
  if (origin === 'support') {
    return ['Hello, our support team has given the agent ', name, ' access in your name, as was asked of it.'];
  }
  if (renews === null) return ['Thank you. You said yes: the agent ', name, ' can act for you.'];
  const old = quotedName(renews.agentName);
  return ['Thank you. You said yes: ', name, ' renews the access that ', { strong: old }, ' has.'];
}

function facts({ agentName, origin, createdAt, decidedAt }: NewAccess): MailBlock[] {
  const rows: [string, string][] = [
    ['Agent', quotedName(agentName)],
    [origin === 'support' ? 'Given' : 'You said yes', formatUtcTime(decidedAt ?? createdAt)],
    ['Until', formatUtcEnd(accessEnd(createdAt))],
  ];
  return [{ kind: 'facts', rows }];
}
