import { Icon } from "../ui/icon.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { PreferenceForm } from "./preference-form.tsx";
import { applyTheme, useTheme } from "./theme.tsx";

/** Switches between the light and the dark theme. The icon shows the theme that comes next. */
export function ThemeToggle() {
  const next = useTheme() === "dark" ? "light" : "dark";
  const label = `Use the ${next} theme`;

  return (
    <PreferenceForm action="/shell/theme" field={{ name: "theme", value: next }} onApply={() => applyTheme(next)}>
      <Tooltip text={label}>
        <button type="submit" aria-label={label} className="icon-button">
          <Icon name={next === "dark" ? "moon" : "sun"} className="size-3.5" />
        </button>
      </Tooltip>
    </PreferenceForm>
  );
}
