/** Parts of `$jsonSchema` that several collections use. */
export const date = { bsonType: 'date' };
export const dateOrNull = { bsonType: ['date', 'null'] };
export const stringOrNull = { bsonType: ['string', 'null'] };
export const revision = { bsonType: ['int', 'long', 'double'], minimum: 1 };
export const site = { enum: ['io', 'org'] };
