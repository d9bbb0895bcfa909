import type {
  TeamworkServiceService,
  Note as WireNote,
  Presence as WirePresence,
} from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { type CallContext, isUuid } from '@knowledge/runtime';
import { type Handlers, requireActor } from '@knowledge/runtime/grpc';
import { unknownContribution } from '../domain/contribution.js';
import { checkNote, type Note, type Presence } from './domain.js';
import type { NoteStore, PresenceStore } from './store.js';

/** The stores that these handlers use. */
interface TeamworkStores {
  readonly notes: NoteStore;
  readonly presence: PresenceStore;
}

export function teamworkHandlers({ notes, presence }: TeamworkStores): Handlers<TeamworkServiceService> {
  return {
    async announcePresence({ contributionId }, context) {
      const open = await presence.announce(requireId(contributionId), requireActor(context), context);
      return { openBy: open.map(toWirePresence) };
    },

    async endPresence({ contributionId }, context) {
      await presence.end(requireId(contributionId), requireActor(context), context);
      return {};
    },

    async addNote({ contributionId, id, text }, context) {
      const note = { id, contributionId, author: requireActor(context), at: context.now, text };
      checkNote(note);
      return { note: toWireNote(await notes.add(note, context)) };
    },
  };
}

/** Adds presence and notes to the records of moderators. */
export function teamworkOfRecords({ notes, presence }: TeamworkStores) {
  return {
    openBy: async (ids: readonly string[], call: CallContext) => {
      const found = await presence.of(ids, call);
      return (id: string): WirePresence[] => (found.get(id) ?? []).map(toWirePresence);
    },
    notes: async (id: string, { signal }: CallContext): Promise<WireNote[]> =>
      (await notes.of([id], signal)).map(toWireNote),
  };
}

function requireId(id: string) {
  if (!isUuid(id)) throw unknownContribution();
  return id;
}

function toWirePresence({ actor, since }: Presence): WirePresence {
  return { actor, since };
}

function toWireNote({ id, author, at, text }: Note): WireNote {
  return { id, author, writtenAt: at, text };
}
