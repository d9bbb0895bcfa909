import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { UsageError } from '../base/desk-error.js';
import { callsOf } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { count } from '../base/text.js';
import { requireField } from '../base/words.js';
import { FieldReader } from '../files/fields.js';
import { command, eachNamed, group, result } from '../terminal/command-table.js';
import { numberOf } from '../terminal/options.js';
import { decisions, presentReason, type ReasonView, toWireDecision } from './present.js';

const reasons = callsOf('contributions', ReasonServiceService);

const columns: Columns<ReasonView> = {
  id: { value: 'id', neverCut: true },
  for: { value: (each) => each.decisions.join(', '), dropPriority: 1 },
  words: { value: 'words', flexible: 30 },
  order: { value: 'order', dropPriority: 2 },
};

/** `knowledge reason …`. Administrators write reasons, moderators choose them. */
const cannedReason = group({
  commands: {
    list: command({
      about: 'list the reasons that moderators can choose, in their order',
      takes: { '--for <decision>': { about: 'only those for this decision', choices: decisions } },
      run: async (session, { for: wanted }) => {
        const stored = (await reasons(session).listReasons({})).reasons.map(presentReason);
        const found = stored.filter((each) => wanted === undefined || each.decisions.includes(wanted));
        session.print.list(found, columns, { one: 'reason' });
      },
      examples: ['reason list', 'reason list --for reject --json'],
    }),
    put: result({
      about: 'create or replace a reason; decisions that used it keep the words they had',
      takes: {
        '<id>': 'the name of the reason: a-z, 0-9 and hyphens',
        '<words>': 'the reason as humans and agents get it',
        '--for <decision...>': { about: 'where it is offered', choices: decisions, initial: ['reject'] },
        '--order <n>': {
          about: 'its place in the list, from 0',
          parse: numberOf(/^\d{1,6}$/, 'Give a whole number from 0.'),
          initial: 0,
        },
      },
      run: async (session, { for: named, ...given }) => {
        const { reason } = await reasons(session).putReason({
          reason: { ...given, decisions: named.map(toWireDecision) },
        });
        return presentReason(requireField(reason));
      },
      text: (stored, _, { id }) => `The reason ${id} is stored, for ${stored.decisions.join(', ')}.`,
      examples: [
        'reason put advertisement "It is an advertisement." --for reject close',
        'reason put client-name "Please leave out the name of the client." --for request-changes --order 2',
      ],
    }),
    delete: eachNamed({
      about: 'delete reasons; decisions that used them keep the words',
      takes: { '<id...>': 'the names of the reasons' },
      calls: reasons,
      run: async (session, id) => {
        await reasons(session).deleteReason({ id });
        return { id, state: 'deleted' };
      },
      text: ({ id }) => `The reason ${id} is deleted.`,
      examples: ['reason delete advertisement'],
    }),
    import: result({
      about:
        'put all reasons of a YAML file, in the order of the file; safe to repeat. A list of entries with id, words and for ' +
        '(a list of decisions). Reasons that the file does not name stay',
      takes: { '<file>': 'the file' },
      run: async (session, { file }) => {
        const { readYamlList } = await import('../files/run-list-import.js');
        // All entries are read before the first is sent, so a file with a wrong field changes nothing.
        const read = readYamlList(session.host.cwd, file).map((fields, order) => readReason(file, fields, order));
        for (const [at, reason] of read.entries()) {
          try {
            await reasons(session).putReason({ reason });
          } catch (error) {
            if (at > 0) session.print.note(`${count(at, 'reason')} stored; entry ${at + 1}, ${reason.id}, is refused.`);
            throw error;
          }
        }
        return { imported: read.map(({ id }) => id) };
      },
      text: ({ imported }) => `${count(imported.length, 'reason')} stored.`,
      examples: ['reason import reasons.yaml'],
    }),
  },
  examples: ['reason list', 'reason put advertisement "It is an advertisement." --for reject close'],
});

function readReason(file: string, fields: Readonly<Record<string, unknown>>, order: number) {
  const reader = new FieldReader(fields);
  const [id, words] = [reader.text('id', { required: true }), reader.text('words', { required: true }).trim()];
  const named = reader.words('for');
  if (!named.every((each) => decisions.includes(each))) reader.faults.push(`for: must be of ${decisions.join(', ')}`);
  if (reader.faults.length > 0) throw new UsageError(`${file}, entry ${order + 1}: ${reader.faults.join('; ')}.`);
  return { id, words, decisions: named.map(toWireDecision), order };
}

export { cannedReason as reason };
