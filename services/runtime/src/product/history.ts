/** An entry of a contribution's history that is no new state. */
interface Entry {
  /** What moderators read. */
  readonly words: string;
  /** What its human reads, and whether with the reason. If it is null, human and agent must not notice it. */
  readonly human: { readonly words: string; readonly hasReason: boolean } | null;
  /** Whether the queue shows at once who made it. Else its list reads as before. */
  readonly isListed: boolean;
}

/** What a history has beside new states: what became of held decisions and of proposed edits. */
const historyEntries = {
  decided: { words: 'decision, can be undone', human: null, isListed: true },
  undone: { words: 'decision undone', human: null, isListed: true },
  dropped: { words: 'decision dropped', human: null, isListed: false },
  proposed: {
    words: 'edit proposed',
    human: { words: 'A moderator proposed an edit', hasReason: true },
    isListed: false,
  },
  declined: { words: 'edit declined', human: { words: 'You said no to the edit', hasReason: false }, isListed: false },
} as const satisfies Readonly<Record<string, Entry>>;

export type EntryName = keyof typeof historyEntries;

/** The entry of this name; undefined for a new state, and for what only the log has. */
export function historyEntry(name: string): Entry | undefined {
  return Object.hasOwn(historyEntries, name) ? historyEntries[name as EntryName] : undefined;
}

/** The edits of moderators since the words of the agent that still hold. An undo by the human leaves what they agreed to. */
export function standingEdits<Change extends { readonly by: string }>(
  changes: readonly Change[],
  isAgreed: (change: Change) => boolean,
): Change[] {
  const agents = changes.findLastIndex(({ by }) => by === 'agent');
  const undone = changes.findLastIndex(({ by }) => by === 'human');
  return changes.filter((each, at) => each.by === 'moderator' && at > agents && (at > undone || isAgreed(each)));
}
