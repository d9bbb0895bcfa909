/** The actor, time and reason of a change or of a look at personal data. */
export interface Attribution {
  readonly actor: string;
  readonly at: Date;
  /** The reason as the actor wrote it; may be empty. */
  readonly reason: string;
  /** The id of the request. It is stored where a repeated request must be recognised, or where support finds by it. */
  readonly requestId?: string;
}

/** One change of state. It is stored permanently with the document that changed. */
export interface Transition extends Attribution {
  /** The state before; empty if the change created the document. */
  readonly from: string;
  readonly to: string;
  /** What moderators decided, if the decision was held, undone or dropped. */
  readonly decision?: string;
  /** The revision number after the change. */
  readonly revision: number;
}

/** The actors that are not members of a team. */
export const actors = {
  agent: 'agent',
  /** The human, who acts with a confirmation code or an access key. */
  human: 'human',
  /** Housekeeping, which ends things at their time. */
  system: 'system',
} as const;

export function isNoMember(actor: string): actor is keyof typeof actors {
  return Object.hasOwn(actors, actor);
}

/** The actor of a submission. It is the token and never the address, because transitions are stored permanently. */
export function contributorActor(tokenId: string): string {
  return tokenId === '' ? 'contributor' : `token:${tokenId}`;
}

export function isContributor(actor: string): boolean {
  return /^(?:token:|contributor$)/.test(actor);
}
