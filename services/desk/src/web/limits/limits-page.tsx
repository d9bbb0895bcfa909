import { bounds, rules } from '@knowledge/runtime/product';
import { type LimitView, timesUsedUp } from '../../present/limit.js';
import { limitWords } from '../../present/limit-words.js';
import type { Shown } from '../layout/send-page.js';
import { titledTable } from '../layout/tables.js';
import { words } from '../layout/values.js';

/** The limits that hold, and where each of them is set. */
export function limitsPage(limits: readonly LimitView[]): Shown {
  const main = (
    <>
      <h1>Limits</h1>
      <p class="soft">
        No limit is changed in the desk: readers rely on them, and all replicas must agree. Support can give one reader
        or writer a used up allowance back under <a href="/people">People</a>.
      </p>
      {titledTable(
        'What quota counts',
        limits,
        [
          { header: 'What is counted', cell: ({ policy }) => limitWords(policy) },
          { header: 'For each', cell: ({ counts }) => words(counts) },
          { header: 'Limit', cell: ({ limit }) => (limit === 0 ? 'off' : String(limit)), isNumber: true },
          { header: 'Used up, 30 days', cell: (limit) => String(timesUsedUp(limit)), isNumber: true },
          { header: 'Set by', cell: ({ policy }) => setting[policy] ?? 'the release' },
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
        all settings.
      </p>
    </>
  );
  return { title: 'Limits', main };
}

/** The policies that operators can change. */
const setting: Readonly<Record<string, string>> = {
  read_address_cap: 'QUOTA_ANONYMOUS_PER_ADDRESS',
  authorize_address: 'AUTHORIZE_PER_ADDRESS',
  link_address: 'AUTHORIZE_PER_ADDRESS',
};

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
  ['QUOTA_ANONYMOUS_PER_ADDRESS', 'reads of one address a day without a token, over all client ids; 0 is off', 'quota'],
  ['AUTHORIZE_PER_ADDRESS', 'requests for access, and mails with links, from one address an hour; 0 is off', 'quota'],
  ['CODE_TTL_MINUTES', 'how long a mailed link accepts a decision', 'identity'],
  ['PAGES_PER_ADDRESS', 'pages for people a minute and address', 'gateway'],
  ['CONNECTIONS_PER_ADDRESS', 'open connections of one address', 'gateway'],
  ['MAX_CONNECTIONS', 'open connections', 'gateway, web desk'],
] as const;
