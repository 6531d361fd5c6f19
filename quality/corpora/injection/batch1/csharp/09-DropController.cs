using System;
using System.IO;
using System.Text;
using Microsoft.AspNetCore.Mvc;

namespace Drop.Controllers;

[ApiController]
[Route("drop")]
public class DropController : ControllerBase
{
    private const string Root = "/srv/drop/";

    private static string Decode(string token) =>
        Encoding.UTF8.GetString(Convert.FromBase64String(token.Replace('-', '+').Replace('_', '/')));

    [HttpGet("{token}")]
    public IActionResult Get(string token)
    {
        if (token.Contains("..") || token.Contains('/'))
            return BadRequest();

        var name = Decode(token);
        return PhysicalFile(Root + name, "application/octet-stream");
    }

    [HttpPut]
    public IActionResult Put(string name, [FromBody] string text)
    {
        var key = Convert.ToHexString(Encoding.UTF8.GetBytes(name));
        System.IO.File.WriteAllText(Root + key, text);
        return NoContent();
    }

    [HttpDelete]
    public IActionResult Delete(string name)
    {
        var again = Decode(Convert.ToBase64String(Encoding.UTF8.GetBytes(name)));
        System.IO.File.Delete(Path.Combine(Root, again));
        return NoContent();
    }
}
