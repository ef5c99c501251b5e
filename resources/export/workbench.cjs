// The prompt and the check of exported cases, for promptfoo; needs nothing but Node.
//
// prompt({vars}) gives the case's messages with its tools. check(output, {config, vars}) holds a reply against
// config.expect: `no_call`, or calls with rules for their arguments.

const RULES = new Set([
  "any_of", "any", "optional", "one_of", "fields", "items", "extra", "any_order", "kind", "regex", "contains", "text",
  "tolerance", "numbers", "literal",
]);
const MATCHING = { text: "exact", numbers: "value", tolerance: 0, coerced: false, defaults: true };

// promptfoo reads every text of a prompt as a template of its own: the braces of others are kept from it.
function raw(value) {
  if (typeof value === "string") return /\{[{%#]/.test(value) ? `{% raw %}${value}{% endraw %}` : value;
  if (Array.isArray(value)) return value.map(raw);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, raw(one)]));
  }
  return value;
}

function prompt({ vars, provider }) {
  const { messages, tools, tool_choice } = vars.case;
  const config = {};
  if (tools && tools.length) config.tools = inShapeOf(String((provider && provider.id) || ""), tools);
  if (tool_choice) config.tool_choice = tool_choice;
  return { prompt: raw(messages), config };
}

function inShapeOf(provider, tools) {
  const functions = tools.map((tool) => tool.function);
  if (provider.startsWith("anthropic:")) {
    return functions.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
  }
  if (provider.startsWith("google:")) return [{ functionDeclarations: functions }];
  if (provider.startsWith("openai:responses:")) return functions.map((one) => ({ type: "function", ...one }));
  return tools;
}

function check(output, { config, vars }) {
  const { calls, answer } = readReply(output);
  const found = problems(config.expect, calls, answer, (vars.case && vars.case.tools) || []);
  return { pass: !found.length, score: found.length ? 0 : 1, reason: found.join(" ") || "As expected." };
}

// The calls and the text of a reply, in the shapes in which promptfoo gives them out for OpenAI, Anthropic and Google.
function readReply(output) {
  const parts = typeof output === "string" ? readText(output) : Array.isArray(output) ? output : [output];
  const calls = [];
  const said = [];
  for (const part of parts) {
    if (part && Array.isArray(part.tool_calls)) {
      calls.push(...part.tool_calls.map(readCall).filter(Boolean));
      said.push(part.content || "");
    } else {
      const call = readCall(part);
      if (call) calls.push(call);
      else said.push(typeof part === "string" ? part : part.text || JSON.stringify(part));
    }
  }
  return { calls, answer: said.join("\n\n") };
}

// Anthropic's blocks come as text, a blank line between them.
function readText(text) {
  for (const parts of [[text], text.split("\n\n")]) {
    const read = parts.map((part) => {
      try {
        return JSON.parse(part);
      } catch {
        return part;
      }
    });
    const flat = read.flat();
    if (flat.some((part) => readCall(part) || (part && Array.isArray(part.tool_calls)))) return flat;
  }
  return [text];
}

function readCall(part) {
  if (!part || typeof part !== "object") return null;
  const call = part.function || part.functionCall || (["tool_use", "function_call"].includes(part.type) ? part : null);
  if (!call || typeof call.name !== "string") return null;
  const given = [call.arguments, call.input, call.args].find((one) => one !== undefined);
  return { name: call.name, arguments: typeof given === "string" ? JSON.parse(given || "{}") : given || {} };
}

function problems(expect, calls, answer, tools) {
  if (expect === "no_call") expect = { no_call: true };
  if (expect.one_of) {
    return expect.one_of
      .map((way) => problems(way, calls, answer, tools))
      .reduce((best, one) => (one.length < best.length ? one : best));
  }
  const forbidden = expect.must_not_call || [];
  const found = calls.filter((one) => forbidden.includes(one.name)).map((one) => `${one.name} must not be called.`);
  if (expect.no_call || expect.must_ask) {
    found.push(...calls.map((one) => `${one.name} was called, and no call is right here.`));
    found.push(...wrongAnswer(expect, answer));
    if (expect.must_ask && !/[?\uff1f\u061f\u037e\u055e\u1367\u2047-\u2049]/.test(answer)) found.push("The right decision was to ask back.");
  } else if (expect.any_call) {
    if (!calls.length) found.push("No call was made; some call was expected.");
  } else if (expect.calls) {
    const schemas = Object.fromEntries(tools.map((tool) => [tool.function.name, tool.function.parameters || {}]));
    found.push(...wrongCalls(expect, calls, schemas));
  }
  return found;
}

function wrongAnswer(expect, answer) {
  const said = answer.toLowerCase();
  const found = [];
  for (const words of expect.answer_contains || []) {
    if (!said.includes(words.toLowerCase())) found.push(`The answer does not hold ${JSON.stringify(words)}.`);
  }
  for (const words of expect.answer_lacks || []) {
    if (said.includes(words.toLowerCase())) found.push(`The answer holds ${JSON.stringify(words)}.`);
  }
  if (expect.answer_regex && !pattern(expect.answer_regex).test(answer)) {
    found.push(`The answer does not match ${expect.answer_regex}.`);
  }
  return found;
}

function pattern(text) {
  const flags = text.startsWith("(?i)") ? "i" : "";
  return new RegExp(flags ? text.slice(4) : text, flags);
}

function wrongCalls(expect, calls, schemas) {
  const wanted = expect.calls;
  const matching = { ...MATCHING, ...expect.matching };
  const fits = (one, call) => {
    if (one.name !== call.name) return false;
    if (expect.names_only) return true;
    return membersFit(one.arguments || {}, call.arguments, schemas[one.name] || {}, one.extra_arguments, matching);
  };
  const table = wanted.map((one) => calls.map((call) => fits(one, call)));
  if (expect.missing_calls && !calls.length) return ["No call was made."];
  const pairs = longest(table, calls.length, (expect.order || "strict") === "strict");
  if ((expect.missing_calls || pairs === wanted.length) && (expect.extra_calls || pairs === calls.length)) return [];
  const told = calls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`).join(", ");
  return [`Expected ${JSON.stringify(wanted)}, made ${told || "no call"}.`];
}

// How many expected calls can be paired with made ones; ordered: with both orders kept.
function longest(table, made, ordered) {
  if (ordered) {
    let row = new Array(made + 1).fill(0);
    for (const fits of table) {
      const above = row;
      row = new Array(made + 1).fill(0);
      for (let at = 0; at < made; at++) {
        row[at + 1] = Math.max(row[at], above[at + 1], fits[at] ? above[at] + 1 : 0);
      }
    }
    return row[made];
  }
  const owner = new Map();
  const place = (one, seen) => {
    for (let at = 0; at < made; at++) {
      if (!table[one][at] || seen.has(at)) continue;
      seen.add(at);
      if (!owner.has(at) || place(owner.get(at), seen)) {
        owner.set(at, one);
        return true;
      }
    }
    return false;
  };
  return table.filter((_, one) => place(one, new Set())).length;
}

const own = (value, name) => Object.prototype.hasOwnProperty.call(value, name);

function membersFit(rules, given, schema, extra, matching) {
  const below = isObject(schema.properties) ? schema.properties : {};
  for (const [name, rule] of Object.entries(rules)) {
    const plain = asRule(rule);
    if (own(given, name)) {
      if (!valueFits(plain, given[name], below[name] || {}, matching)) return false;
    } else if (!plain.optional && !defaultFits(plain.any_of, below[name] || {}, matching)) return false;
  }
  return Boolean(extra) || Object.keys(given).every((name) => own(rules, name) || isDefault(given[name], below[name] || {}, matching));
}

function asRule(value) {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length && names.every((name) => RULES.has(name)) ? value : { any_of: [value] };
}

function defaultFits(values, schema, matching) {
  if (!matching.defaults || !own(schema, "default")) return false;
  return !values || !values.length || values.some((one) => JSON.stringify(one) === JSON.stringify(schema.default));
}

const isDefault = (value, schema, matching) =>
  matching.defaults && own(schema, "default") && same(schema.default, value, {}, matching);

function valueFits(rule, value, schema, matching) {
  for (const name of ["text", "tolerance"]) {
    if (rule[name] !== undefined && rule[name] !== null) matching = { ...matching, [name]: rule[name] };
  }
  const tries = [
    ...(rule.any_of || []).map((one) => same(one, value, schema, matching)),
    ...(rule.one_of || []).map((one) => valueFits(asRule(one), value, schema, matching)),
  ];
  if (tries.length && !tries.some(Boolean)) return false;
  if (rule.fields && !(isObject(value) && membersFit(rule.fields, value, schema, rule.extra, matching))) return false;
  if (rule.items && !itemsFit(rule, value, schema, matching)) return false;
  if (rule.kind && !SHAPES[rule.kind](value)) return false;
  if (rule.regex && !(typeof value === "string" && pattern(rule.regex).test(value))) return false;
  const words = typeof rule.contains === "string" ? [rule.contains] : rule.contains || [];
  return words.every((one) => typeof value === "string" && value.toLowerCase().includes(one.toLowerCase()));
}

function itemsFit(rule, value, schema, matching) {
  if (!Array.isArray(value)) return false;
  const below = isObject(schema.items) ? schema.items : {};
  const rules = rule.items.map(asRule);
  const table = rules.map((one) => value.map((item) => valueFits(one, item, below, matching)));
  if (rule.any_order) {
    const needed = table.filter((_, at) => !rules[at].optional);
    if (longest(needed, value.length, false) !== needed.length) return false;
    return Boolean(rule.extra) || longest(table, value.length, false) === value.length;
  }
  let ends = new Set([0]); // how many items the rules so far may have taken; an optional one may have taken none
  rules.forEach((one, at) => {
    const taken = [...ends].filter((end) => end < value.length && table[at][end]).map((end) => end + 1);
    ends = new Set(one.optional ? [...ends, ...taken] : taken);
  });
  return ends.has(value.length) || Boolean(rule.extra && ends.size);
}

function same(expected, actual, schema, matching) {
  const kind = kindOf(expected);
  if (kind !== kindOf(actual)) return matching.coerced && typeof actual === "string" && textForm(actual, expected);
  if (kind === "object") {
    const inner = isObject(schema.properties) ? schema.properties : {};
    for (const [name, value] of Object.entries(expected)) {
      if (own(actual, name)) {
        if (!same(value, actual[name], inner[name] || {}, matching)) return false;
      } else if (!defaultFits([value], inner[name] || {}, matching)) return false;
    }
    return Object.keys(actual).every((name) => own(expected, name) || isDefault(actual[name], inner[name] || {}, matching));
  }
  if (kind === "array") {
    const inner = isObject(schema.items) ? schema.items : {};
    return expected.length === actual.length && expected.every((one, at) => same(one, actual[at], inner, matching));
  }
  if (kind === "number") return expected === actual || (matching.tolerance > 0 && near(expected, actual, matching.tolerance));
  if (kind === "string") return fold(expected, matching.text) === fold(actual, matching.text);
  return expected === actual;
}

// A little more than the tolerance: 1.05 - 1 is not 0.05 in binary.
const near = (one, other, tolerance) =>
  Math.abs(one - other) <= tolerance + Number.EPSILON * Math.max(Math.abs(one), Math.abs(other));

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function fold(text, rule) {
  if (rule === "folded") return text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  if (rule === "letters") return text.replace(/[ ,./\-_*^]/g, "").toLowerCase().replaceAll("'", '"');
  return text;
}

function textForm(text, value) {
  const plain = text.trim();
  if (value === null) return ["none", "null"].includes(plain.toLowerCase());
  if (typeof value === "boolean") return plain.toLowerCase() === String(value);
  try {
    return JSON.stringify(JSON.parse(plain)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

const matches = (form) => (value) => typeof value === "string" && form.test(value);
const SHAPES = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
  date: (value) => matches(/^\d{4}-?\d\d-?\d\d([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-]\d\d:?\d\d)?)?$/)(value) && !Number.isNaN(Date.parse(value.slice(0, 10))),
  time: matches(/^T?([01]\d|2[0-3])(:?[0-5]\d(:?[0-5]\d([.,]\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/),
  email: matches(/^[^@\s]+@[^@\s]+\.[^@\s]+$/),
  uri: matches(/^[A-Za-z][A-Za-z0-9+.-]+:\S+$/),
  uuid: matches(/^\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i),
};

module.exports = { prompt, check, problems, readReply };
