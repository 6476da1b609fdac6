"""The results of checks as CI systems read them: JUnit's XML."""

from xml.etree import ElementTree

from sim.lab.checking import Result


def document(results: list[Result]) -> bytes:
    """Return the file."""
    suite = ElementTree.Element(
        "testsuite",
        name="city-unit",
        tests=str(len(results)),
        failures=str(sum(1 for one in results if one.failures)),
        errors=str(sum(1 for one in results if one.error)),
    )
    for path, failures, error in results:
        case = ElementTree.SubElement(suite, "testcase", classname="city-unit", name=path)
        if failures:
            told = [f"expected {one.expected}; happened: {one.happened}" for one in failures]
            ElementTree.SubElement(case, "failure", message=told[0]).text = "\n".join(told)
        if error:
            ElementTree.SubElement(case, "error", message=str(error))
    return ElementTree.tostring(suite, "utf-8", xml_declaration=True)
