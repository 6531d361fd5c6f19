using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

namespace Sweep;

[ApiController]
[Route("sweep")]
public class SweepController : ControllerBase
{
    private static readonly Regex Name = new(@"\A[a-z0-9]+\.tmp\z");
    private const string Dir = "/srv/work";

    [HttpPost]
    public int Post([FromBody] string[] names)
    {
        var n = 0;
        foreach (var name in names)
        {
            if (!Name.IsMatch(name))
                continue;
            System.IO.File.Delete(Path.Combine(Dir, name));
            n++;
        }
        return n;
    }

    [HttpPost("first")]
    public IActionResult First([FromBody] string[] names)
    {
        var pick = "none";
        for (var i = 0; i < names.Length; i++)
        {
            pick = names[i];
            if (pick.EndsWith(".old"))
                break;
        }
        System.IO.File.Delete(Path.Combine(Dir, pick));
        return NoContent();
    }
}
