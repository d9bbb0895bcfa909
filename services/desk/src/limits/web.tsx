import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { Fragment } from '@knowledge/runtime/html';
import { bounds, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  actButton,
  buttonRow,
  type Cells,
  csrfField,
  facts,
  fieldsOf,
  formField,
  formPage,
  hasRole,
  linkButton,
  noFaults,
  partOf,
  readValues,
  reasonField,
  refusal,
  type SentForm,
  showPage,
  staffOf,
  strange,
  textField,
  timeOf,
  titled,
  titledTable,
  type WebDesk,
  words,
} from '../pages/index.js';
import { type LimitView, limitValue, limitWords, presentLimit, timesUsedUp, toWirePolicy } from './limits.js';

const path = '/admin/limits';

/** Registers the page with the limits that hold, and the form for each ceiling. */
export function registerLimits(app: FastifyInstance, { calls }: WebDesk): void {
  const quota = calls('quota', QuotaAdminServiceService);
  const read = async (request: FastifyRequest) => (await quota(request).listLimits({})).limits.map(presentLimit);

  showPage(app, path, async (request) => limitsPage(await read(request), hasRole(staffOf(request))));

  formPage(app, `${path}/:policy`, {
    roles: [],
    fields: ['units', 'reason'],
    typed: (request) => readValues(request, { units: 20, reason: 4_000 }),
    async save({ units: typed, reason }, request) {
      const units = formField(request.body, 'act') === 'restore' ? undefined : toUnits(typed.trim());
      await quota(request).setCeiling({ policy: toWirePolicy(partOf(request, 'policy')), units, reason });
      return path;
    },
    async show(request, sent) {
      const limit = (await read(request)).find(({ policy }) => policy === partOf(request, 'policy'));
      const form = { units: String(limit?.limit), reason: '' };
      return ceilingPage(limit, sent ?? { form, faults: noFaults });
    },
  });
}

function toUnits(typed: string) {
  if (/^\d{1,9}$/.test(typed)) return Number(typed);
  throw new KnowledgeError('validation_error', 'units must be a whole number of at most nine digits, and 0 is off.');
}

/** The limits that hold, and where each of them is set. */
function limitsPage(limits: readonly LimitView[], mayChange: boolean) {
  const counted: Cells<LimitView> = {
    'What is counted': ({ policy }) => limitWords(policy),
    'For each': ({ counts }) => words(counts),
    Limit: ({ limit }) => limitValue(limit),
    'Used up, 30 days': (limit) => String(timesUsedUp(limit)),
    'Set by': (limit) => setBy(limit, mayChange),
  };
  return titled(
    'Limits',
    <>
      <p class="soft">
        Administrators set the limits of one IP address, one mail domain and all mailboxes here, for example during an
        attack. Readers rely on the other limits, so only a release changes them. Support can give one reader or writer
        a used up limit back under <a href="/people">People</a>.
      </p>
      {titledTable('What quota counts', limits, counted, 'Quota lists no limits.', 'Limit', 'Used up, 30 days')}
      {titledTable('What the release sets', fixed, { Limit: ([name]) => name, Value: ([, value]) => value }, '')}
      <p class="soft">These figures stand in documents, mails and pages too, so only a new release changes them.</p>
      {titledTable('What operators set', settings, settingCells, '')}
      <p class="soft">
        Operators change them in the configuration of the process and start it anew; deploy/README.md has the table of
        all settings. What an administrator set for the first four counts more.
      </p>
    </>,
  );
}

function setBy({ policy, ceiling }: LimitView, mayChange: boolean): Fragment {
  if (ceiling === null) return 'the release';
  return (
    <>
      {setterOf(ceiling)}{' '}
      {mayChange && (
        <a href={`${path}/${policy}`} aria-label={`Change the limit: ${limitWords(policy)}`}>
          Change
        </a>
      )}
    </>
  );
}

function setterOf({ set_by }: NonNullable<LimitView['ceiling']>): Fragment {
  return set_by === null ? 'the configuration' : strange(set_by);
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
  ['CODE_TTL_MINUTES', 'how long a mailed link can say yes', 'identity'],
  ['PAGES_PER_ADDRESS', 'pages for people a minute and IP address', 'gateway'],
  ['CONNECTIONS_PER_ADDRESS', 'open connections of one IP address', 'gateway'],
  ['MAX_CONNECTIONS', 'open connections', 'gateway, web desk'],
] as const;

const settingCells: Cells<(typeof settings)[number]> = {
  Setting: ([name]) => <code>{name}</code>,
  'What it limits': ([, what]) => what,
  Where: ([, , where]) => where,
};

/**
 * The value of one ceiling, who set it, and a form for another value.
 *
 * @throws KnowledgeError `not_found` for a limit that is no ceiling.
 */
function ceilingPage(
  limit: LimitView | undefined,
  { form, faults }: SentForm<Readonly<Record<'units' | 'reason', string>>>,
) {
  const ceiling = limit?.ceiling ?? null;
  if (limit === undefined || ceiling === null) throw new KnowledgeError('not_found', 'There is no such limit.');
  const field = fieldsOf(form, faults);
  return titled(
    `Limit: ${limitWords(limit.policy)}`,
    <>
      {facts({
        Now: limitValue(limit.limit),
        'Set by': setterOf(ceiling),
        Set: timeOf(ceiling.set_at),
        Why: strange(ceiling.reason),
        Configuration: limitValue(ceiling.configured),
      })}
      <p class="soft">
        Many people can share one IP address or one mail domain, such as a company. Who is over a new limit waits for
        the next window. It holds everywhere within 10 seconds, also after a restart, until somebody sets another one.
      </p>
      {refusal(faults)}
      <form class="fields" method="post" action={`${path}/${limit.policy}`}>
        {csrfField()}
        {textField({ ...field('units', 'Limit', 'A whole number; 0 is off.'), inputmode: 'numeric', required: true })}
        {reasonField({ ...field('reason', 'Reason', 'Stored with your name.'), required: true })}
        {buttonRow(
          actButton('set', 'Set the limit', { class: 'main' }),
          ceiling.set_by !== null &&
            actButton('restore', `Back to the configuration: ${limitValue(ceiling.configured)}`),
          linkButton(path, 'Cancel'),
        )}
      </form>
    </>,
    { back: [path, 'All limits'] },
  );
}
