using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

namespace Photos;

[Route("photos")]
public class PhotosController : Controller
{
    private const string Dir = "/srv/photos/";

    [HttpPost]
    public async Task<IActionResult> Upload(IFormFile photo)
    {
        var name = Path.GetFileName(photo.FileName);
        await using var fs = System.IO.File.Create(Dir + "p_" + name);
        await photo.CopyToAsync(fs);
        return NoContent();
    }

    [HttpPost("raw")]
    public async Task<IActionResult> Raw(IFormFile photo)
    {
        await using var fs = new FileStream(Dir + photo.FileName, FileMode.Create);
        await photo.CopyToAsync(fs);
        return NoContent();
    }

    [HttpGet]
    public IActionResult Get(string name)
    {
        return PhysicalFile(Dir + name.Replace("../", ""), "image/jpeg");
    }

    [HttpDelete]
    public IActionResult Delete(string name)
    {
        System.IO.File.Delete(Dir + name.TrimStart('.', '/'));
        return NoContent();
    }
}
