import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { ceilingPolicies, limitValue, presentLimit, toWirePolicy } from '../../present/limit.js';
import { limitWords } from '../../present/limit-words.js';
import { requireField } from '../../present/require-field.js';

export function addSetCeiling(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('set-ceiling')
    .description('set what one network address, one mail domain or everybody may take; it holds until it is set again')
    .addArgument(new Argument('<ceiling>', 'which one').choices(ceilingPolicies))
    .addArgument(
      new Argument(
        '<units>',
        'a number for one window, `off`, or `configured` for what the configuration has',
      ).argParser(parseUnits),
    )
    .addOption(new Option('--reason <text>', 'why; stored with your name').makeOptionMandatory())
    .action(
      handle(async (session, ceiling: string, { units }: Units, { reason }: { reason: string }) => {
        const quota = session.connect('quota', QuotaAdminServiceService);
        const request = { policy: toWirePolicy(ceiling), units, reason };
        const { limit } = await quota.setCeiling(request, session.callContext());
        session.print.result(
          presentLimit(requireField(limit)),
          (set) => `${limitWords(set.policy)}: ${limitValue(set.limit)}. It holds within 10 seconds.`,
        );
      }),
    );
  addExamples(
    command,
    'quota set-ceiling read_address_cap 300 --reason "one address takes everything"',
    'quota set-ceiling read_address_cap configured --reason "it is over"',
  );
}

/** An object, since commander takes undefined for an argument that was not given. */
interface Units {
  readonly units: number | undefined;
}

function parseUnits(value: string): Units {
  if (value === 'configured') return { units: undefined };
  if (value === 'off') return { units: 0 };
  if (!/^\d{1,9}$/.test(value))
    throw new InvalidArgumentError('Give a whole number of at most nine digits, `off` or `configured`.');
  return { units: Number(value) };
}
