# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding in the window of a run, and going to places. Each leaves the window as it was."""

import re

import desktop
from desktop import GLib
from timeline_gestures import fit


def check_search(desk):
    desk.keys("slash")
    desk.app.find("text|entry", "Search")
    desk.type("receiveForces")
    label = desk.app.find("label", "searching…|[\\d,]+ found").get_name
    def says(pattern):
        desk.until(lambda: re.search(pattern, label() or ""), f"“{pattern}”, not “{label()}”")
    says("^8,748 found$")
    desk.keys("Return")
    says("^1 of 8,748$")
    desk.words_have("receiveForces", "the match is selected")
    desk.keys("shift+Return")
    says("^8,748 of 8,748, again from the end$")
    desk.focus()
    desk.keys("period")
    says("^1 of 8,748, again from the beginning$")
    desk.keys("period", "comma")
    says("^1 of 8,748$")
    desk.picture("search")
    desk.keys("ctrl+f", "ctrl+a")
    desk.type("f(")
    toggle = desk.app.find("push button|toggle button", "Regular expression")
    desk.app.press(toggle)
    says("“f\\(” is no regular expression: ")
    desk.keys("ctrl+a")
    desk.type("cell::.*(forces|start)")
    says(r"^[\d,]+ found$")
    desk.app.press(toggle)
    desk.focus()
    desk.keys("Escape", "Escape", "Escape")
    desk.until(lambda: not label(), "Esc ends the search")


def check_escape(desk):
    """One step out at a time: measuring, selection, search, zoom."""
    whole = desk.range()
    desk.move(0.6, 0.3)
    desk.wheel(4, 2, "ctrl")
    near = desk.range_other_than(whole, "Ctrl+wheel zooms")
    desk.keys("ctrl+f")
    desk.type("receiveForces")
    label = desk.app.find("label", "searching…|[\\d,]+ found").get_name
    desk.until(lambda: "found" in (label() or ""), "matches")
    desk.focus()
    desk.drag((0.4, 0.3), (0.6, 0.3))
    desk.line_has("^selected", "a drag selects")
    desk.drag((0.5, 0.3), (0.7, 0.3), modifier="shift")
    desk.line_has("^measured", "Shift+drag measures")
    desk.keys("Escape")
    desk.line_has("^selected", "Esc ends measuring, and no more")
    desk.keys("Escape")
    desk.line_lacks("^selected", "Esc drops the selection")
    assert "found" in label() and desk.range() == near, (label(), desk.range())
    desk.keys("Escape")
    desk.until(lambda: not label(), "Esc ends the search")
    assert desk.range() == near, desk.range()
    desk.keys("Escape")
    desk.range_is(whole, "Esc takes the zoom back")


def check_letters_in_entries(desk):
    """There they are text, and no commands."""
    before = desk.line()
    desk.keys("ctrl+f")
    entry = next(item for item in desk.app.each("text|entry", "Search")
                 if "Text" in item.get_interfaces())
    desk.type("wasdfzmblkoetcvp.,[]")
    text = entry.get_text
    desk.until(lambda: text() == "wasdfzmblkoetcvp.,[]", f"letters in the entry: {text()}")
    assert desk.line()[:3] == before[:3] and not desk.dialog_texts(), (before, desk.line())
    desk.keys("ctrl+a", "Delete", "Escape")
    desk.focus()


def go_to_range(desk, text):
    desk.keys("ctrl+g")
    desk.dialog("Go to a Time Range")
    desk.keys("ctrl+a")
    desk.type(text)
    desk.keys("Return")
    desk.no_dialog()


def check_range(desk):
    """Ctrl+G: a range, a time, a row."""
    whole = desk.range()
    def go(text):
        go_to_range(desk, text)
    go("0.5s..0.7s")
    near = desk.range_other_than(whole, "Ctrl+G goes to a range")
    assert re.search(r"\(200 ms of ", near), near
    go("1.15s")
    later = desk.range_other_than(near, "Ctrl+G goes to a time")
    assert re.search(r"^1\.05\d* s – 1\.25\d* s \(200 ms of|^1,?050.* – 1,?250", later), later
    go("PE 5")
    # In the details: the chart may say that no message started the block.
    desk.details_have(r"^PE 5 · \S+ s to ", "Ctrl+G goes to a row")
    go("2")
    desk.details_have(r"^PE 2 · \S+ s to ", "Ctrl+G goes to a row by its number")
    stays = desk.range()
    go("sometime")
    # By the time another dialog has come and gone a jump would have been seen.
    desk.keys("ctrl+g")
    desk.dialog("Go to a Time Range")
    desk.keys("Escape")
    desk.no_dialog()
    desk.range_is(stays, "what is no time changes nothing")
    desk.focus()
    desk.keys("Escape")
    fit(desk, whole)


def check_places(desk):
    """Ctrl+P: a row, an entry method, a time, a view."""
    whole = desk.range()
    def go(text):
        desk.keys("ctrl+p")
        desk.dialog("Places")
        desk.type(text)
        desk.until(lambda: any(text[-3:].lower() in word.lower()
                               for word in desk.dialog_texts()), text)
        desk.keys("Return")
        desk.no_dialog()
    go("PE 3")
    desk.words_have("^PE 3, ", "a row")
    go("receiveForces")
    desk.words_have("receiveForces", "an entry method")
    go("0.5s..0.6s")
    desk.range_other_than(whole, "a time")
    go("Usage")
    desk.until(lambda: desk.app.is_shown("Usage"), "a view")
    go("Timeline")
    desk.until(lambda: desk.app.is_shown("Timeline"), "the timeline")
    desk.focus()
    desk.keys("Escape")
    fit(desk, whole)


def check_groups(desk):
    """Each group by its key: to the view of it that was seen last, else to its first."""
    app = desk.app
    app.show("Extrema")
    app.show("Message Sizes")
    for key, view in (("ctrl+1", "Findings"), ("ctrl+2", "Timeline"), ("ctrl+3", "Extrema"),
                      ("ctrl+4", "Profile"), ("ctrl+5", "Message Sizes"), ("ctrl+6", "Events")):
        desk.keys(key)
        desk.until(lambda: app.is_shown(view), f"{view} by {key}")
    for view in ("Findings", "Timeline", "Time Profile", "Timeline"):
        desk.keys("ctrl+1" if view == "Findings" else "ctrl+2")
        desk.until(lambda: app.is_shown(view), f"{view} by a key pressed again")
    app.show("Profile")
    app.click(app.find(desktop.BUTTON, "Table"))
    desk.until(lambda: app.is_shown("Table"), "the button of a view that shares the tab")
    app.show("Scatter")
    app.turn_on("page tab", "Profile", desktop.is_selected)
    desk.until(lambda: app.is_shown("Table"), "the view of the tab that was seen last")
    app.show("Profile")
    app.show("Timeline")
    desk.focus()


def check_bookmark(desk):
    whole = desk.range()
    desk.move(0.4, 0.4)
    desk.keys("w", "w")
    near = desk.range_other_than(whole, "W zooms")
    desk.keys("b")
    desk.dialog("Bookmark This Range")
    desk.keys("ctrl+a")
    desk.type("a slow step")
    desk.keys("Return")
    desk.no_dialog()
    desk.focus()
    fit(desk, whole)
    desk.app.act("go-to-bookmark", GLib.Variant("u", 0))
    desk.range_is(near, "back at the bookmark")
    desk.app.act("remove-bookmark", GLib.Variant("u", 0))
    fit(desk, whole)


def path_words(desk):
    """What the view of paths says it shows."""
    desk.app.show("Paths")
    combo = desk.app.find("combo box", "Which path is shown")
    desk.app.show("Timeline")
    desk.focus()
    return lambda: next(item.get_name() for item in desk.app.walk(combo)
                        if item.get_role_name() == "label" and item.get_name() != "(None)")


def check_paths(desk):
    """Chains from a block, the critical path, steps along it, kinds of message lines."""
    desk.click(0.6, 0.3)
    desk.words_have(r"^PE \d, ", "a block")
    desk.keys("t")
    desk.app.find("toggle button|push button|.*", "Messages: (?!of the block).*")
    desk.keys("p")
    def steps(key):
        before = desk.words()
        desk.keys(key)
        return desk.words() != before
    # The first step goes from a block beside the path to its end, from where none goes forward.
    for _ in range(2):
        desk.until(lambda: steps("less"), "a step back along the critical path")
    desk.until(lambda: steps("greater"), "a step forward")
    shown = path_words(desk)
    desk.until(lambda: shown() == "Critical path of the run", f"the path, not {shown()}")
    desk.keys("c")
    desk.until(lambda: shown() == "Back from the selected block", f"back, not {shown()}")
    desk.keys("v")
    desk.until(lambda: shown() == "Forward from the selected block", f"on, not {shown()}")
    desk.picture("path")
    desk.keys("v")
    desk.until(lambda: shown() == "No path", f"the same key again ends it, not {shown()}")
    desk.keys("Escape", "Escape", "Escape")
