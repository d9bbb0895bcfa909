import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dropsProposed } from '../../actions/review/decisions.js';
import { heldSeconds } from '../../actions/review/hold.js';
import { previewMail } from '../../actions/review/mail-preview.js';
import type { ReviewAction } from '../../actions/review/review-action.js';
import { confirm } from '../../confirm.js';
import { UsageError } from '../../desk-error.js';
import { forEachNamed } from '../../for-each-named.js';
import { idHelp, idsHelp } from '../../ids.js';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import { describeHeld } from '../../present/teamwork.js';
import { count } from '../../print/count.js';
import type { Session } from '../../session.js';
import { findContributions } from './find.js';

export interface ReviewOptions {
  revision: number;
  /** Set by `--hold` of the commands that have it. */
  hold?: boolean;
}

/** Adds `review NAME ID...`. With `single` the command accepts only one id. */
export function reviewCommand(parent: Command, name: string, description: string, single = false): Command {
  return parent
    .command(name)
    .description(description)
    .argument(single ? '<id>' : '<id...>', single ? idHelp : idsHelp)
    .addOption(
      new Option('--revision <n>', 'refuse if the contribution has changed since this revision')
        .argParser(parseRevision)
        .default(0, 'any'),
    );
}

/** The option `--hold` of decisions that can be undone for a while. */
export function holdOption(): Option {
  const description = `let it take effect in ${heldSeconds} seconds, without asking; until then "review undo" takes it back`;
  return new Option('--hold', description);
}

/**
 * Applies an action to each contribution and prints its new state. Asks the user first if mails will be sent at once.
 */
export async function applyToEach(
  session: Session,
  words: readonly string[],
  { revision, hold = false }: ReviewOptions,
  action: ReviewAction,
): Promise<void> {
  if (revision !== 0 && words.length > 1) throw new UsageError('--revision goes with one id.');
  const moderation = session.connect('contributions', ModerationServiceService);
  const mustConfirm = action.mail !== undefined && !session.yes && !hold;
  const found = await findContributions(session, moderation, words, mustConfirm);
  if (mustConfirm) await ask(session, found, action);
  const records = new Map(found.map(({ id, record }) => [id, record]));
  const applyTo = async (id: string): Promise<ContributionView> => {
    // The service refuses this revision if the contribution changed after the user saw it.
    const expectedRevision = revision || (records.get(id)?.revision ?? 0);
    const request = { id, expectedRevision, holdSeconds: hold ? heldSeconds : 0 };
    const { contribution } = await action.apply(moderation, request, session.callContext());
    return presentContribution(requireField(contribution));
  };
  await forEachNamed(session, [...records.keys()], applyTo, { text: line });
}

async function ask(
  session: Session,
  found: readonly { id: string; record: ContributionView | undefined }[],
  { verb, warning, mail }: ReviewAction,
): Promise<void> {
  if (mail === undefined) return;
  const previews = found.map(({ record }) => previewMail(mail.kind, requireField(record), mail.text));
  const what =
    found.length === 1 ? (found[0]?.record?.type ?? '').replace('_', ' ') : count(found.length, 'contribution');
  const drops = found.some(({ record }) => record?.proposed_edit) ? ` ${dropsProposed}` : '';
  await confirm(
    session,
    `${verb} ${found.length === 1 ? 'this ' : ''}${what}? ${warning}${drops}`,
    previews.join('\n\n'),
  );
}

function line({ type, id, state, held, proposed_edit: proposal }: ContributionView): string {
  if (held !== null) return `The ${type.replace('_', ' ')} ${id}: ${describeHeld(held)}.`;
  const waiting = proposal === null ? '' : ', with an edit that waits for the yes of its human';
  return `The ${type.replace('_', ' ')} ${id} is ${state.replace('_', ' ')}${waiting}.`;
}

function parseRevision(value: string): number {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(value);
}
