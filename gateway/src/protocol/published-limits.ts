import { limits } from './limits.js';

/** A limit in the capabilities document (gateway/PROTOCOL.md#capabilities). */
export interface PublishedLimit {
  readonly max: number;
  readonly min?: number;
  /** The time window to which `max` applies. */
  readonly window?: string;
  /** The kind of thing to which `max` applies, such as a mailbox or a connection. */
  readonly per?: string;
}

/** Every limit of the protocol by its public name. Limits of texts count code points; other names contain the unit. */
export function publishedLimits(pagesPerAddress: number): Readonly<Record<string, PublishedLimit>> {
  return {
    anonymous_reads: { max: limits.readsPerDay.anonymous, window: 'utc_day', per: 'client_id_or_address' },
    verified_email_reads: { max: limits.readsPerDay.verifiedEmail, window: 'utc_day', per: 'mailbox' },
    contributions: { max: limits.contributionsPerDay, window: 'utc_day', per: 'mailbox' },
    contribution_lists: { max: limits.ownListsPerMinute, window: 'minute', per: 'mailbox' },
    new_texts: { max: limits.newTextsPerContribution, per: 'contribution' },
    authorize_requests: { max: limits.mailsPerHour, window: 'hour', per: 'mailbox' },
    authorize_requests_a_day: { max: limits.mailsPerDay, window: 'utc_day', per: 'mailbox' },
    own_page_mails: { max: limits.mailsPerHour, window: 'hour', per: 'mailbox' },
    own_page_mails_a_day: { max: limits.mailsPerDay, window: 'utc_day', per: 'mailbox' },
    token_polls: { max: 1, window: `${limits.pollSeconds}_seconds`, per: 'device_code' },
    human_pages: { max: pagesPerAddress, window: 'minute', per: 'client_address' },

    client_id_length: limits.clientId,
    request_id_length: limits.requestId,
    idempotency_key_length: limits.idempotencyKey,
    authorization_key_length: limits.authorizationKey,
    q_length: { min: 1, max: limits.query.max },
    tag_length: limits.tag,
    author_length: { min: 1, max: limits.name.max },
    search_entries: { min: limits.searchSize.min, max: limits.searchSize.max },
    page_entries: { min: limits.pageSize.min, max: limits.pageSize.max },
    body_length: limits.body,
    title_length: limits.title,
    name_length: { max: limits.name.max },
    prompt_id_length: { max: limits.promptId.max },
    language_length: limits.language,
    about_length: limits.about,
    agent_name_length: limits.agentName,
    purpose_length: { max: limits.purpose.max },
    email_length: limits.email,

    max_tokens: limits.maxTokens,
    section_length: limits.section,
    continuation_lifetime_hours: { max: limits.continuationHours },
    outline_sections: { max: limits.outlineSections },
    article_bytes: { max: limits.articleBytes },
    mcp_batch_messages: { min: 1, max: limits.batchMessages },
    request_body_bytes: { max: limits.requestBytes },
    request_target_bytes: { max: limits.targetBytes },
    header_block_bytes: { max: limits.headerBytes },
    headers: { max: limits.headers },
    pipelined_requests: { max: limits.waitingRequests, per: 'connection' },
    headers_timeout_seconds: { max: limits.headersTimeoutMs / 1000 },
    request_timeout_seconds: { max: limits.requestTimeoutMs / 1000 },

    token_lifetime_days: { max: limits.tokenDays },
    authorization_request_lifetime_hours: { max: limits.authorizationHours },
    confirmation_code_lifetime_minutes: { max: limits.linkMinutes },
    token_pick_up_hours: { max: limits.tokenExchangeHours },
    token_redelivery_minutes: { max: limits.tokenRedeliveryMinutes },
    user_code_attempts: { max: limits.userCodeAttempts, per: 'authorization_request' },
    idempotency_key_lifetime_hours: { max: limits.idempotencyKeyHours },
    unkeyed_replay_minutes: { max: limits.equalPayloadMinutes },
    new_text_days: { max: limits.changesDays, per: 'request_for_changes' },
    revocation_delay_seconds: { max: limits.revocationSeconds },
    listing_cache_seconds: { max: 60 },
  };
}
