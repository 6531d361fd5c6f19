using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

[Route("vault")]
public class VaultController : ControllerBase
{
    private static readonly string Root = Path.GetFullPath("/srv/vault");

    [HttpGet]
    public IActionResult Read([FromQuery] string f)
    {
        var full = Path.GetFullPath(Path.Combine(Root, f));
        if (!full.StartsWith(Root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
        {
            return Forbid();
        }
        return PhysicalFile(full, "application/octet-stream");
    }

    [HttpGet("raw")]
    public IActionResult Raw([FromQuery] string f)
    {
        var full = Path.Combine(Root, f);
        if (!full.StartsWith(Root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
        {
            return Forbid();
        }
        return PhysicalFile(full, "application/octet-stream");
    }

    [HttpPut]
    public async Task<IActionResult> Write([FromQuery] string f)
    {
        var full = Path.GetFullPath(Path.Combine(Root, f));
        if (!full.StartsWith(Root))
        {
            return Forbid();
        }
        await using var fs = new FileStream(full, FileMode.Create);
        await Request.Body.CopyToAsync(fs);
        return NoContent();
    }
}
