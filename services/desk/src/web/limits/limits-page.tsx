import type { Fragment } from '@knowledge/runtime/html';
import { bounds, rules } from '@knowledge/runtime/product';
import { type LimitView, limitValue, timesUsedUp } from '../../present/limit.js';
import { limitWords } from '../../present/limit-words.js';
import { type Shown, titled } from '../layout/send-page.js';
import { titledTable } from '../layout/tables.js';
import { strange, words } from '../layout/values.js';

export const limitsPath = '/admin/limits';

/** The limits that hold, and where each of them is set. */
export function limitsPage(limits: readonly LimitView[], mayChange: boolean): Shown {
  return titled(
    'Limits',
    <>
      <p class="soft">
        Administrators set the limits of one IP address, one mail domain and all mailboxes here, for example during an
        attack. Readers rely on the other limits, so only a release changes them. Support can give one reader or writer
        a used up limit back under <a href="/people">People</a>.
      </p>
      {titledTable(
        'What quota counts',
        limits,
        [
          { header: 'What is counted', cell: ({ policy }) => limitWords(policy) },
          { header: 'For each', cell: ({ counts }) => words(counts) },
          { header: 'Limit', cell: ({ limit }) => limitValue(limit), isNumber: true },
          { header: 'Used up, 30 days', cell: (limit) => String(timesUsedUp(limit)), isNumber: true },
          { header: 'Set by', cell: (limit) => setBy(limit, mayChange) },
        ],
        'Quota lists no limits.',
      )}
      {titledTable(
        'What the release sets',
        fixed,
        [
          { header: 'Limit', cell: ([name]) => name },
          { header: 'Value', cell: ([, value]) => value },
        ],
        '',
      )}
      <p class="soft">These figures stand in documents, mails and pages too, so only a new release changes them.</p>
      {titledTable(
        'What operators set',
        settings,
        [
          { header: 'Setting', cell: ([name]) => <code>{name}</code> },
          { header: 'What it limits', cell: ([, what]) => what },
          { header: 'Where', cell: ([, , where]) => where },
        ],
        '',
      )}
      <p class="soft">
        Operators change them in the configuration of the process and start it anew; deploy/README.md has the table of
        all settings. What an administrator set for the first four counts more.
      </p>
    </>,
  );
}

function setBy({ policy, ceiling }: LimitView, mayChange: boolean): Fragment {
  if (ceiling === null) return 'the release';
  const change = `Change the limit: ${limitWords(policy)}`;
  return (
    <>
      {ceiling.set_by === null ? 'the configuration' : strange(ceiling.set_by)}{' '}
      {mayChange && (
        <a href={`${limitsPath}/${policy}`} aria-label={change}>
          Change
        </a>
      )}
    </>
  );
}

const fixed = [
  ['Life of a token', `${rules.tokenDays} days`],
  ['A request waits for its human', `${rules.authorizationHours} hours`],
  ['A contribution waits for a new text', `${rules.changesDays} days`],
  ['New texts of one contribution', `${rules.newTextsPerContribution}`],
  ['An erasure waits for a second person', `${rules.erasureDays} days`],
  ['Time between two polls for a token', `${rules.pollSeconds} seconds`],
  ['Text of a contribution', `${bounds.body.max.toLocaleString('en')} characters`],
] as const;

const settings = [
  [
    'QUOTA_ANONYMOUS_PER_ADDRESS',
    'reads of one IP address a day without a token, over all client ids; 0 is off',
    'quota',
  ],
  [
    'AUTHORIZE_PER_ADDRESS',
    'requests for access, and mails with links, from one IP address an hour; 0 is off',
    'quota',
  ],
  ['AUTHORIZE_PER_MAIL_DOMAIN', 'requests for access to one mail domain an hour; 0 is off', 'quota'],
  ['AUTHORIZE_PER_HOUR', 'requests for access to all mailboxes an hour; 0 is off', 'quota'],
  ['CODE_TTL_MINUTES', 'how long a mailed link accepts a decision', 'identity'],
  ['PAGES_PER_ADDRESS', 'pages for people a minute and IP address', 'gateway'],
  ['CONNECTIONS_PER_ADDRESS', 'open connections of one IP address', 'gateway'],
  ['MAX_CONNECTIONS', 'open connections', 'gateway, web desk'],
] as const;
