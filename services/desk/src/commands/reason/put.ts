import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { decisions, presentReason, toWireDecision } from '../../present/reason.js';
import { requireField } from '../../present/require-field.js';

interface Options {
  for: string[];
  order: number;
}

export function addReasonPut(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('put')
    .description('create or replace a reason; decisions that used it keep the words they had')
    .argument('<id>', 'the name of the reason: a-z, 0-9 and hyphens')
    .argument('<words>', 'the reason as humans and agents get it')
    .addOption(new Option('--for <decision...>', 'where it is offered').choices(decisions).default(['reject']))
    .addOption(new Option('--order <n>', 'its place in the list, from 0').argParser(parseOrder).default(0))
    .action(
      handle(async (session, id: string, words: string, { for: named, order }: Options) => {
        const client = session.connect('contributions', ReasonServiceService);
        const put = { id, words, decisions: named.map(toWireDecision), order };
        const { reason } = await client.putReason({ reason: put }, session.callContext());
        const stored = presentReason(requireField(reason));
        session.print.result(stored, () => `The reason ${id} is stored, for ${stored.decisions.join(', ')}.`);
      }),
    );
  addExamples(
    command,
    'reason put advertisement "It is an advertisement." --for reject close',
    'reason put client-name "Please leave out the name of the client." --for request-changes --order 2',
  );
}

function parseOrder(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 0.');
  return Number(value);
}
