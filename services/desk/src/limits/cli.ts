import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { InvalidArgumentError } from 'commander';
import { callsOf } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { words } from '../base/text.js';
import { requireField } from '../base/words.js';
import { command, group, result } from '../terminal/command-table.js';
import { requiredReason } from '../terminal/options.js';
import {
  ceilingPolicies,
  formatQuota,
  type LimitView,
  limitValue,
  limitWords,
  presentLimit,
  quotaOf,
  readSubject,
  timesUsedUp,
  toWirePolicy,
} from './limits.js';

const quotas = callsOf('quota', QuotaAdminServiceService);

const subject = { '<subject>': { about: 'client:ID, email:ADDRESS or address:IP', parse: parseSubject } };
const why = 'why; stored with your name and the hash of the subject';

const columns: Columns<LimitView> = {
  policy: 'policy',
  'counts per': (each) => words(each.counts),
  limit: { value: (each) => limitValue(each.limit), alignRight: true },
  'in a': 'window',
  'used up': { value: timesUsedUp, alignRight: true },
  'set by': ({ ceiling }) => (ceiling === null ? '' : (ceiling.set_by ?? 'configuration')),
};

/** `knowledge quota …`, for support and administrators. */
export const quota = group({
  commands: {
    show: result({
      about: 'show what a reader or writer has left',
      takes: { ...subject, '--reason <text>': why },
      run: (session, { subject, reason = '' }) => quotaOf(quotas(session), 'showSubject', subject, reason),
      text: formatQuota,
      examples: ['quota show client:readme-tour', 'quota show email:ada@example.org'],
    }),
    reset: result({
      about: 'give a subject all its allowances back',
      takes: { ...subject, ...requiredReason(why) },
      run: (session, { subject, reason }) => quotaOf(quotas(session), 'resetSubject', subject, reason),
      text: formatQuota,
      examples: [
        'quota reset client:readme-tour --reason "counted twice"',
        'quota reset email:ada@example.org --reason "counted twice"',
      ],
    }),
    limits: command({
      about: 'list the limits that hold, and how often each was used up in the last 30 days',
      run: async (session) => {
        const { limits } = await quotas(session).listLimits({});
        session.print.list(limits.map(presentLimit), columns, { one: 'limit' });
      },
      examples: ['quota limits', 'quota limits --json'],
    }),
    'set-ceiling': result({
      about: 'set what one network address, one mail domain or everybody may take; it holds until it is set again',
      takes: {
        '<ceiling>': { about: 'which one', choices: ceilingPolicies },
        '<units>': {
          about: 'a number for one window, `off`, or `configured` for what the configuration has',
          parse: parseUnits,
        },
        ...requiredReason(),
      },
      run: async (session, { ceiling, units, reason }) => {
        const { limit } = await quotas(session).setCeiling({ policy: toWirePolicy(ceiling), ...units, reason });
        return presentLimit(requireField(limit));
      },
      text: (set) => `${limitWords(set.policy)}: ${limitValue(set.limit)}. It holds within 10 seconds.`,
      examples: [
        'quota set-ceiling read_address_cap 300 --reason "one address takes everything"',
        'quota set-ceiling read_address_cap configured --reason "it is over"',
      ],
    }),
  },
  examples: ['quota limits', 'quota show client:readme-tour', 'quota reset address:192.0.2.7 --reason "counted twice"'],
});

function parseSubject(name: string) {
  if (readSubject(name) !== undefined) return name;
  throw new InvalidArgumentError('Give it as client:ID, email:ADDRESS or address:IP.');
}

/** Reads a ceiling as an object, since commander takes undefined for an argument that was not given. */
function parseUnits(value: string): { readonly units: number | undefined } {
  if (value === 'configured') return { units: undefined };
  if (value === 'off') return { units: 0 };
  if (/^\d{1,9}$/.test(value)) return { units: Number(value) };
  throw new InvalidArgumentError('Give a whole number of at most nine digits, `off` or `configured`.');
}
