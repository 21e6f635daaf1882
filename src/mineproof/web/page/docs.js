// The description of the API, made readable.

import { $, el } from "./dom.js";

const description = await (await fetch("openapi.json")).json();
const { schemas } = description.components;

$("about").textContent = description.info.description.replaceAll("`", "");

const named = (schema) => schema?.$ref?.split("/").at(-1);

/** The type of a value in a few words. */
function kind(schema) {
  if (!schema) return "";
  if (schema.$ref) return named(schema);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(kind).join(" | ");
  if (schema.prefixItems) return `[${schema.prefixItems.map(kind).join(", ")}]`;
  if (schema.type === "array") return `list of ${kind(schema.items)}`;
  return schema.type ?? "any";
}

function fields(name) {
  const schema = schemas[name];
  if (!schema?.properties) return el("p", { class: "note" }, kind(schema));
  const required = new Set(schema.required ?? []);
  return el("dl", {}, ...Object.entries(schema.properties).flatMap(([field, value]) => [
    el("dt", {}, el("code", {}, field), ` ${kind(value)}${required.has(field) ? "" : ", optional"}`),
    el("dd", {}, value.description ?? ""),
  ]));
}

function section(title, schema) {
  const names = [schema, ...(schema?.anyOf ?? [])].map(named).filter(Boolean);
  if (!names.length) return schema ? [el("h3", {}, title), el("p", {}, kind(schema))] : [];
  return names.flatMap((name) => [el("h3", {}, `${title}: ${name}`), fields(name)]);
}

for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const body = operation.requestBody?.content["application/json"].schema;
    const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith("2"));
    $("operations").append(el("article", { class: "side" }, el("div", { class: "panel" },
      el("h2", {}, el("code", {}, `${method.toUpperCase()} ${path}`)),
      el("p", {}, operation.description ?? ""),
      el("details", {}, el("summary", {}, "Fields"), el("div", { class: "stack" },
        ...(operation.parameters ?? []).map((one) => el("p", {}, el("code", {}, one.name), ` (${one.in}) ${kind(one.schema)}`)),
        ...section("Request", body),
        ...section(`Answer ${status}`, answer.content?.["application/json"].schema))))));
  }
}
