import { readFileSync } from 'node:fs';
import { expect, test as it } from 'vitest';
import { limits } from './limits.js';

const kib = (bytes: number) => bytes / 1024;
const seconds = (ms: number) => ms / 1000;
const inWords = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const { body, title, name, about, query, maxTokens, pageSize, searchSize } = limits;
const { anonymous, verifiedEmail } = limits.readsPerDay;
const inThousands = (value: number) => value.toLocaleString('en-GB');

/** Sentences of documents, with the figures that the processes use. Nobody generates these documents. */
const sentences = {
  'gateway/PROTOCOL.md': [
    `the verified e-mail, ${verifiedEmail} articles a day`,
    `\`X-Agent-Client-Id\`: ${anonymous} a day for each value`,
    `It has ${limits.clientId.min} to ${limits.clientId.max} characters without control characters`,
    `the client address: ${anonymous} a day`,
    `${limits.contributionsPerDay} contributions a UTC day for each [mailbox](#mailboxes)`,
    `contribution takes ${limits.newTextsPerContribution}, then \`invalid_state\``,
    `until when, ${limits.changesDays} days later`,
    `${limits.mailsPerHour} requests an hour and ${limits.mailsPerDay} a UTC day for each [mailbox](#mailboxes)`,
    `The request lives ${limits.authorizationHours} hours`,
    `It can say yes for ${limits.linkMinutes} minutes`,
    `${['fourth', 'fifth', 'sixth'][limits.userCodeAttempts - 4]} wrong one ends the request`,
    `poll every ${limits.pollSeconds} s`,
    `polled again within ${limits.pollSeconds} s`,
    `fetched for ${limits.tokenExchangeHours} hours after the confirmation. For ${limits.tokenRedeliveryMinutes} minutes`,
    `ends ${limits.tokenDays} days after the request`,
    `refused everywhere within ${limits.revocationSeconds} seconds`,
    `deleted ${limits.keptAfterEndDays} days after they ended`,
    `erased ${limits.keptAfterEndDays} days after its withdrawal`,
    `(${limits.idempotencyKey.min} to ${limits.idempotencyKey.max} characters) with the same payload`,
    `again for ${limits.idempotencyKeyHours} hours`,
    `the first response again for ${limits.equalPayloadMinutes} minutes`,
    `\`body\` has ${body.min} to ${inThousands(body.max)} characters, \`name\` at most ${name.max}`,
    `required, ${title.min} to ${title.max}`,
    `or its path, ${about.min} to ${about.max} characters`,
    `\`agent_name\` has ${limits.agentName.min} to ${limits.agentName.max} letters`,
    `\`q\` has 1 to ${query.max} characters`,
    `\`limit\` is ${searchSize.min} to ${searchSize.max}, by default ${searchSize.default}`,
    `\`limit\` is ${pageSize.min} to ${pageSize.max}, by default ${pageSize.default}`,
    `at most ${limits.outlineSections} headings of an article`,
    `at most ${limits.headingShown} characters`,
    `from ${maxTokens.min} to ${inThousands(maxTokens.max)}, gives`,
    `\`continuation_expires_at\` is ${limits.continuationHours} hours after`,
    `at most ${limits.articleBytes / 1000} kB`,
    `1 to ${limits.requestId.max} characters of`,
    `A batch has at most ${limits.batchMessages} messages`,
    `| body | ${kib(limits.requestBytes)} KiB of JSON`,
    `| target | ${kib(limits.targetBytes)} KiB`,
    `| headers | ${kib(limits.headerBytes)} KiB, ${inThousands(limits.headers)} of them`,
    `headers ${seconds(limits.headersTimeoutMs)} s, all of it ${seconds(limits.requestTimeoutMs)} s`,
    `| time to answer | ${seconds(limits.responseMs)} s`,
    `has not read its responses within ${seconds(limits.readResponseMs)} s`,
    `with ${limits.waitingRequests + 1} waiting at once`,
  ],
  'gateway/README.md': [
    `it has ${inWords[anonymous]} articles a UTC day`,
    `lasts ${limits.tokenDays} days, and allows contributions and ${inWords[verifiedEmail]} article reads a day`,
    `for ${limits.continuationHours} hours, and neither counts`,
  ],
  'README.md': [
    `${inWords[anonymous]} per UTC day for each \`X-Agent-Client-Id\`, ${inWords[verifiedEmail]} for a verified`,
  ],
};

it.each(Object.entries(sentences))('%s tells the figures of the processes', (file, stated) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').replace(/\s+/g, ' ');
  expect(stated.filter((sentence) => !text.includes(sentence))).toEqual([]);
});
