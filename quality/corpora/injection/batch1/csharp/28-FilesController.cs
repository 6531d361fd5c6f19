using System;
using System.IO;
using Microsoft.AspNetCore.Mvc;

namespace Files;

[ApiController]
[Route("files")]
public class FilesController : ControllerBase
{
    private static readonly string Root = Path.GetFullPath("/srv/files");

    [HttpGet]
    public IActionResult Get(string f)
    {
        var full = Path.GetFullPath(Path.Combine(Root, f));
        if (!full.StartsWith(Root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            return Forbid();
        return PhysicalFile(full, "application/octet-stream");
    }

    [HttpDelete]
    public IActionResult Delete(string f)
    {
        var full = Path.Combine(Root, f);
        if (!full.StartsWith(Root + "/", StringComparison.Ordinal))
            return Forbid();
        System.IO.File.Delete(full);
        return NoContent();
    }

    [HttpPut]
    public IActionResult Put(string f, [FromBody] string text)
    {
        var full = Path.GetFullPath(Path.Combine(Root, f));
        if (!full.StartsWith(Root))
            return Forbid();
        System.IO.File.WriteAllText(full, text);
        return NoContent();
    }
}
