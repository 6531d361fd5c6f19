using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Threading.Tasks;
using System.Xml;
using Microsoft.AspNetCore.Mvc;

namespace Acme.Catalog
{
    [Route("catalog")]
    public class CatalogImport : ControllerBase
    {
        private static readonly Dictionary<string, string> Templates = new(StringComparer.OrdinalIgnoreCase)
        {
            ["de"] = "deutsch.xml",
            ["en"] = "english.xml",
        };

        [HttpPost("legacy")]
        public async Task<IActionResult> Legacy()
        {
            using var reader = new StreamReader(Request.Body);
            var text = await reader.ReadToEndAsync();
            var doc = new XmlDocument
            {
                XmlResolver = new XmlUrlResolver { Credentials = CredentialCache.DefaultCredentials },
            };
            doc.LoadXml(text);
            return Ok(doc.DocumentElement?.InnerText);
        }

        [HttpPost("import")]
        public IActionResult Import([FromForm] string xml)
        {
            var settings = new XmlReaderSettings
            {
                DtdProcessing = DtdProcessing.Prohibit,
                XmlResolver = null,
            };
            var count = 0;
            using var reader = XmlReader.Create(new StringReader(xml), settings);
            while (reader.Read())
            {
                if (reader.NodeType != XmlNodeType.Element || reader.Name != "item")
                {
                    continue;
                }
                var image = reader.GetAttribute("image");
                var data = reader.GetAttribute("data");
                if (image != null && data != null)
                {
                    var target = Path.Combine("/srv/catalog/images", image);
                    System.IO.File.WriteAllBytes(target, Convert.FromBase64String(data));
                }
                count++;
            }
            return Ok(count);
        }

        [HttpGet("template/{lang}")]
        public IActionResult Template(string lang)
        {
            var file = Templates.TryGetValue(lang, out var known) ? known : "english.xml";
            return PhysicalFile(Path.Combine("/srv/catalog/templates", file), "application/xml");
        }

        [HttpGet("price")]
        public IActionResult Price(string sku)
        {
            var doc = new XmlDocument { XmlResolver = null };
            doc.Load("/srv/catalog/prices.xml");
            var node = doc.SelectSingleNode("/prices/price[@sku='" + sku + "']/@value");
            return node == null ? NotFound() : Ok(node.Value);
        }
    }
}
