import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { FieldReader } from '../../import/fields.js';
import { FileProblem } from '../../import/file-problem.js';
import { decisions, toWireDecision } from '../../present/reason.js';
import { count } from '../../print/count.js';

export function addReasonImport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('import')
    .description(
      'put all reasons of a YAML file, in the order of the file; safe to repeat. A list of entries with id, words and for ' +
        '(a list of decisions). Reasons that the file does not name stay',
    )
    .argument('<file>', 'the file')
    .action(
      handle(async (session, file: string) => {
        const { readYamlList } = await import('../../import/yaml-list.js');
        // All entries are read before the first is sent, so a wrong file changes nothing.
        const reasons = readYamlList(session.host.cwd, file).map((fields, order) => readReason(file, fields, order));
        const client = session.connect('contributions', ReasonServiceService);
        for (const reason of reasons) await client.putReason({ reason }, session.callContext());
        const result = { imported: reasons.map(({ id }) => id) };
        session.print.result(result, () => `${count(reasons.length, 'reason')} stored.`);
      }),
    );
  addExamples(command, 'reason import reasons.yaml');
}

function readReason(file: string, fields: Readonly<Record<string, unknown>>, order: number) {
  const reader = new FieldReader(fields);
  const [id, words] = [reader.text('id', { required: true }), reader.text('words', { required: true }).trim()];
  const named = reader.words('for');
  if (!named.every((each) => decisions.includes(each))) reader.faults.push(`for: must be of ${decisions.join(', ')}`);
  try {
    reader.finish();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new UsageError(`${file}, entry ${order + 1}: ${error.message}.`);
  }
  return { id, words, decisions: named.map(toWireDecision), order };
}
