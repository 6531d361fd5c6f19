using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using Microsoft.AspNetCore.Mvc;

namespace Ops;

[ApiController]
[Route("tools")]
public class ToolsController : ControllerBase
{
    private static readonly Dictionary<string, string> Lines = new()
    {
        ["disk"] = "df -h",
        ["mem"] = "free -m",
    };
    private static readonly string[] Units = { "nginx", "redis", "postgresql" };

    private enum Page { Home, Faq, Imprint }

    [HttpPost("{key}")]
    public IActionResult Run(string key)
    {
        if (!Lines.TryGetValue(key, out var line))
            return NotFound();
        Process.Start("sh", $"-c \"{line}\"");
        return Accepted();
    }

    [HttpPost("unit")]
    public IActionResult Unit(string name)
    {
        if (!Units.Contains(name))
            return NotFound();
        Process.Start("sh", $"-c \"systemctl restart {name}\"");
        return Accepted();
    }

    [HttpPost("alias")]
    public IActionResult Alias(string name)
    {
        var line = Lines.GetValueOrDefault(name, name);
        Process.Start("sh", $"-c \"{line}\"");
        return Accepted();
    }

    [HttpGet("page")]
    public IActionResult Show(string page)
    {
        if (!Enum.TryParse<Page>(page, true, out var p))
            return NotFound();
        return PhysicalFile("/srv/pages/" + p + ".html", "text/html");
    }
}
