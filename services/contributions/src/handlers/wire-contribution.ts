import type {
  ContributionStep,
  AboutText as WireAbout,
  Contribution as WireContribution,
  TextChange as WireTextChange,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Transition } from '@knowledge/runtime';
import { toWireSite } from '@knowledge/runtime/wire';
import { catalogAuthor } from '../domain/catalog-object.js';
import type { Contribution, ContributionState, TextChange } from '../domain/contribution.js';
import { erasesAt } from '../domain/erasure.js';
import { isHeldEntry } from '../domain/hold.js';
import { changesDueAt } from '../domain/new-text.js';
import { toWirePurpose, toWireState, toWireType } from './wire-enums.js';

/** Converts a contribution for its human and its agent. */
export function toWireContribution(contribution: Contribution): WireContribution {
  return {
    id: contribution.id,
    type: toWireType(contribution.type),
    site: toWireSite(contribution.site),
    state: toWireState(contribution.state),
    title: contribution.title ?? '',
    body: contribution.body,
    name: contribution.name ?? '',
    promptId: contribution.prompt?.id ?? '',
    submittedAt: contribution.submittedAt,
    updatedAt: contribution.updatedAt,
    reviewedAt: contribution.reviewedAt ?? undefined,
    reason: contribution.reason,
    answer: contribution.answer,
    revision: contribution.revision,
    language: contribution.language,
    agentName: contribution.agentName,
    authorizationId: contribution.authorizationId,
    promptQuestion: contribution.prompt?.question ?? '',
    shownName: catalogAuthor(contribution),
    history: toWireSteps(contribution),
    textChanges: contribution.textChanges.map(toWireTextChange),
    changesDueAt: changesDueAt(contribution),
    erasesAt: erasesAt(contribution),
    purpose: toWirePurpose(contribution.purpose),
    about: contribution.about === null ? undefined : toWireAbout(contribution.about),
  };
}

function toWireAbout({ site, kind, id, title }: NonNullable<Contribution['about']>): WireAbout {
  const name = kind === 'article' ? { slug: id, objectId: '' } : { slug: '', objectId: id };
  return { site: toWireSite(site), ...name, title };
}

function toWireTextChange({ revision, at, by, reason, fields, before }: TextChange): WireTextChange {
  const text = before ?? undefined;
  return {
    ...{ revision, changedAt: at, by, reason, fields, forgotten: before === null },
    before: text && { ...text, title: text.title ?? '', name: text.name ?? '' },
  };
}

/** Converts the history for the human. Held decisions and reasons that are only for moderators are left out. */
function toWireSteps({ history }: Contribution): ContributionStep[] {
  const changes = history.filter((each) => !isHeldEntry(each));
  return changes.map((transition) => {
    const state = transition.to as ContributionState;
    const by = roleOf(transition.actor);
    const edited = isEdit(transition);
    const isForHuman = edited || (reasonIsForHuman[state] && (by === 'moderator' || state === 'withdrawn'));
    const reason = isForHuman ? transition.reason : '';
    return { state: toWireState(state), occurredAt: transition.at, by, reason, edited };
  });
}

// A corrected answer and an erasure keep the state too.
function isEdit({ from, to, reason }: Transition): boolean {
  return from === to && to !== 'answered' && reason !== 'erased';
}

const reasonIsForHuman: Readonly<Record<ContributionState, boolean>> = {
  pending_review: false,
  changes_requested: true,
  approved: false,
  published: false,
  retracted: true,
  rejected: true,
  withdrawn: true,
  answered: false,
  closed: true,
};

/** Converts an actor to its role. An actor that is not in the list is a moderator. */
function roleOf(actor: string): string {
  if (actor === 'human' || actor === 'agent' || actor === 'system') return actor;
  if (/^support\b/.test(actor)) return 'support';
  return /^(?:token:|contributor$)/.test(actor) ? 'agent' : 'moderator';
}
