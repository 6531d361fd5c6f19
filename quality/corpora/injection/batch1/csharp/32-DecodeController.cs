using System;
using System.IO;
using System.Net;
using System.Text;
using Microsoft.AspNetCore.Mvc;

namespace Decode;

[ApiController]
[Route("decode")]
public class DecodeController : ControllerBase
{
    private const string Root = "/srv/decode/";

    private static bool Plain(string s) => !s.Contains("..") && !s.Contains('/') && !s.Contains('\\');

    [HttpGet("url")]
    public IActionResult Url(string key)
    {
        if (!Plain(key))
            return BadRequest();
        return PhysicalFile(Root + WebUtility.UrlDecode(key), "text/plain");
    }

    [HttpGet("hex")]
    public IActionResult Hex([FromHeader(Name = "X-Key")] string key)
    {
        if (!Plain(key))
            return BadRequest();
        var name = Encoding.UTF8.GetString(Convert.FromHexString(key));
        return Content(System.IO.File.ReadAllText(Root + name));
    }

    [HttpDelete("html")]
    public IActionResult Html(string key)
    {
        if (!Plain(key))
            return BadRequest();
        System.IO.File.Delete(Path.Combine(Root, WebUtility.HtmlDecode(key)));
        return NoContent();
    }

    [HttpGet("first")]
    public IActionResult First(string key)
    {
        var name = WebUtility.UrlDecode(key);
        if (!Plain(name))
            return BadRequest();
        return PhysicalFile(Root + name, "text/plain");
    }
}
