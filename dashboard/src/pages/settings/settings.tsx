import { useQuery } from "@tanstack/react-query";
import { settingsQuery } from "../../api/queries.ts";
import { Page, Section } from "../../parts/page.tsx";
import { DataTable, main, muted, wide } from "../../parts/tables/data-table.tsx";
import { Loaded } from "../../parts/tables/loaded.tsx";

const COLUMNS = [{ title: "Setting" }, { title: "Value" }, { title: "Source", isWide: true }];

/** What the server is set to. Settings are read when it starts, so they are changed there. */
export function Settings() {
  const settings = useQuery(settingsQuery);
  return (
    <Page
      title="Settings"
      lead="The settings that the server started with. To change them, use flags, the environment or millrace.yaml, and restart the server."
    >
      <Section title="Effective settings" isFlush>
        <Loaded query={settings} rows={10}>
          {(all) => (
            <DataTable label="Settings" columns={COLUMNS}>
              {all.map(({ name, value, is_default, env, flag, help }) => (
                <tr key={name}>
                  <td className={main}>
                    {name}
                    <div className={muted}>{help}</div>
                  </td>
                  <td>
                    {value === null ? <span className={muted}>not set</span> : <code>{value}</code>}
                    {is_default && value !== null && <div className={muted}>default</div>}
                  </td>
                  <td className={`${wide} ${muted}`}>
                    <code>{env}</code>
                    {flag && (
                      <div>
                        <code>{flag}</code>
                      </div>
                    )}
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
