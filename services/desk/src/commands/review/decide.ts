import {
  type ContributionRecord,
  ModerationServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { CallOptions, GrpcClient } from '@knowledge/runtime/grpc';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { presentContribution } from '../../present/contribution.js';
import { required } from '../../present/required.js';
import type { Session } from '../../session.js';

/** A client of the moderators' side. */
export type ModerationClient = GrpcClient<typeof ModerationServiceService>;

/** The options that every decision takes. */
export interface DecisionOptions {
  revision: number;
}

/** `review NAME ID [--revision N]`. */
export function decisionCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .argument('<id>', 'the UUID of the contribution')
    .addOption(
      new Option('--revision <n>', 'refuse if it changed since this revision was shown')
        .argParser(parseRevision)
        .default(0, 'any'),
    );
}

/** Makes one decision and shows what the contribution is now. */
export async function decide(
  session: Session,
  call: (
    moderation: ModerationClient,
    options: CallOptions,
  ) => Promise<{ contribution: ContributionRecord | undefined }>,
): Promise<void> {
  const moderation = session.connect('contributions', ModerationServiceService);
  const { contribution } = await call(moderation, session.call());
  const now = presentContribution(required(contribution));
  session.print.thing(now, ({ type, id, state }) => `The ${type.replace('_', ' ')} ${id} is ${state}.`);
}

function parseRevision(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}
