/** Pieces of `$jsonSchema` that several collections share. */
export const date = { bsonType: 'date' };
export const dateOrNull = { bsonType: ['date', 'null'] };
export const stringOrNull = { bsonType: ['string', 'null'] };
export const revision = { bsonType: ['int', 'long', 'double'], minimum: 1 };
export const site = { enum: ['io', 'org'] };

/** Transitions inside the document that they changed. */
export const historySchema = {
  bsonType: 'array',
  minItems: 1,
  items: {
    bsonType: 'object',
    required: ['from', 'to', 'actor', 'at', 'reason', 'revision'],
    properties: { actor: { bsonType: 'string', minLength: 1 }, at: date, revision },
  },
};
