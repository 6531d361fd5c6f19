using System.Diagnostics;
using System.IO;
using System.Net;
using System.Web;
using Dapper;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;

namespace Contacts;

[ApiController]
[Route("contacts")]
public class ContactController : ControllerBase
{
    private readonly SqlConnection _db;

    public ContactController(SqlConnection db) => _db = db;

    [HttpGet("city")]
    public IActionResult City(string city)
    {
        city = city.Replace("\\", "\\\\").Replace("\"", "\\\"");
        return Ok(_db.Query("SELECT * FROM Contact WHERE City = '" + city + "'"));
    }

    [HttpGet("note")]
    public IActionResult Note(string file)
    {
        var name = HttpUtility.HtmlEncode(file);
        return Content(System.IO.File.ReadAllText("/srv/notes/" + name));
    }

    [HttpPost("label")]
    public IActionResult Label(string text)
    {
        var sql = text.Replace("'", "''");
        Process.Start("sh", "-c \"qrencode -o /srv/label.png " + sql + "\"");
        return PhysicalFile("/srv/label.png", "image/png");
    }

    [HttpGet("tag")]
    public IActionResult Tag(string tag)
    {
        var name = WebUtility.UrlEncode(tag).Replace(".", "%2E");
        return Content(System.IO.File.ReadAllText("/srv/tags/" + name));
    }
}
